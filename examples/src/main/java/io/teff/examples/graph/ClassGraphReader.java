package io.teff.examples.graph;

import io.teff.engine.ChunkStore;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores the graph of many class files in a store, in three steps.
 *
 * <ol>
 * <li>Reserve two CIDs for each class, one for its vertex and one for its incoming chunk: consecutive ones in the order
 *     of the names, so that a CID's distance from the first is the class's index.
 * <li>Read the class files, several threads at once, and create each vertex at its CID. The classes it refers to may
 *     not have been read yet, but their CIDs are known.
 * <li>Reverse the edges: read the vertexes again, in batches, and create each incoming chunk at its CID.
 * </ol>
 *
 * The Java heap has the names, one class file per thread, a few numbers per class, and during the last step a number
 * per edge. A reader is used once. The store may be a local one or a cluster.
 */
public final class ClassGraphReader {
    private static final int CAPACITY_FIRST = 64;
    private static final int BATCH = 1024;

    private final ChunkStore store;
    private final List<Map.Entry<String, Path>> files;
    private final int threads;
    private final Map<String, Long> cidByName;
    private final long[] vertexes;
    private final long[] incoming;
    private final AtomicIntegerArray referrerCounts;
    private final int[] firstReferrer;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong edges = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    /** Creates a reader of {@code files} that stores them with {@code threads} threads. */
    public ClassGraphReader(ChunkStore store, ClassFiles files, int threads) {
        this.store = store;
        this.files = List.copyOf(files.byName().entrySet());
        this.threads = threads;
        this.cidByName = HashMap.newHashMap(files.count());
        this.vertexes = new long[files.count()];
        this.incoming = new long[files.count()];
        this.referrerCounts = new AtomicIntegerArray(files.count());
        this.firstReferrer = new int[files.count()];
    }

    /**
     * Reads all files and returns the graph.
     *
     * @throws IOException if a file cannot be read or is no class file
     * @throws StoreException of category DEGRADED if the store is too small
     */
    public ClassGraph read() throws IOException {
        reserve();
        inParallel(next, this::storeVertex);
        int[] referrers = reverse();
        inParallel(new AtomicInteger(), index -> storeIncoming(index, referrers));
        return new ClassGraph(store, cidByName, edges.get(), unknown.get());
    }

    /** Returns the number of class files whose reading has begun. Thread-safe. */
    public int classesRead() {
        return Math.min(next.get(), files.size());
    }

    // ---- reserve ----

    private void reserve() {
        StatusCheck.check(store.ids().reserve(vertexes, 0, vertexes.length), "reserve", 0);
        StatusCheck.check(store.ids().reserve(incoming, 0, incoming.length), "reserve", 0);
        for (int i = 0; i < vertexes.length; i++) {
            cidByName.put(files.get(i).getKey(), vertexes[i]);
        }
    }

    private int index(long vertex) {
        return (int) (vertex - vertexes[0]);
    }

    // ---- threads ----

    /** Work on the class with an index. */
    private interface Task {
        void run(int index) throws IOException;
    }

    /** Runs a task for each class, on several threads; {@code counter} counts those that have begun. */
    private void inParallel(AtomicInteger counter, Task task) throws IOException {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(pool.submit(() -> runMany(counter, task)));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException unreadable -> throw unreadable;
                case StoreException refused -> throw refused;
                case null, default -> throw new IllegalStateException("a reading thread failed", e.getCause());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading classes");
        }
    }

    /** Runs one worker: class after class until none is left, or another worker has failed. */
    private @Nullable Void runMany(AtomicInteger counter, Task task) throws IOException {
        boolean good = false;
        try {
            for (int i = counter.getAndIncrement(); i < vertexes.length; i = counter.getAndIncrement()) {
                task.run(i);
            }
            good = true;
        } finally {
            if (!good) {
                counter.set(vertexes.length);
            }
        }
        return null;
    }

    // ---- read ----

    private void storeVertex(int index) throws IOException {
        long[] references = new long[CAPACITY_FIRST];
        int count = 0;
        int missing = 0;
        for (String name : references(files.get(index).getValue())) {
            Long cid = cidByName.get(name);
            if (cid == null) {
                missing++;
                continue;
            }
            if (count == references.length) {
                references = Arrays.copyOf(references, count * 2);
            }
            references[count++] = cid;
            referrerCounts.incrementAndGet(index(cid));
        }
        byte[] chunk = VertexLayout.encode(incoming[index], files.get(index).getKey(), references, count);
        StatusCheck.check(store.ids().createAt(vertexes[index], chunk), "create", vertexes[index]);
        edges.addAndGet(count);
        unknown.addAndGet(missing);
    }

    private static Set<String> references(Path file) throws IOException {
        try {
            return References.of(Files.readAllBytes(file));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not a class file", e);
        }
    }

    // ---- reverse ----

    /** Returns the indexes of all referrers: those of the first class, in ascending order, then those of the next. */
    private int[] reverse() {
        int total = 0;
        for (int i = 0; i < vertexes.length; i++) {
            firstReferrer[i] = total;
            total += referrerCounts.get(i);
        }
        int[] places = firstReferrer.clone();
        int[] referrers = new int[total];
        byte[] bytes = new byte[BATCH * BATCH];
        int[] lengths = new int[BATCH];
        for (int from = 0; from < vertexes.length; from += BATCH) {
            int count = Math.min(BATCH, vertexes.length - from);
            bytes = readVertexes(from, count, bytes, lengths);
            int at = 0;
            for (int i = 0; i < count; i++) {
                int end = at + (int) StatusCheck.check(lengths[i], "read", vertexes[from + i]);
                for (int reference = VertexLayout.referencesAt(bytes, at); reference < end;
                     reference += VertexLayout.CID_BYTES) {
                    referrers[places[index(VertexLayout.cid(bytes, reference))]++] = from + i;
                }
                at = end;
            }
        }
        return referrers;
    }

    /** Reads vertexes side by side; returns the given array, or a longer one if they have no room in it. */
    private byte[] readVertexes(int from, int count, byte[] bytes, int[] lengths) {
        byte[] target = bytes;
        store.batch().get(vertexes, from, count, target, 0, lengths);
        while (Arrays.stream(lengths, 0, count).anyMatch(length -> length == Status.TOO_SMALL)) {
            target = new byte[target.length * 2];
            store.batch().get(vertexes, from, count, target, 0, lengths);
        }
        return target;
    }

    private void storeIncoming(int index, int[] referrers) {
        int first = firstReferrer[index];
        int count = referrerCounts.get(index);
        byte[] chunk = VertexLayout.encodeIncoming(count, i -> vertexes[referrers[first + i]]);
        StatusCheck.check(store.ids().createAt(incoming[index], chunk), "create", incoming[index]);
    }
}
