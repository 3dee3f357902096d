package io.teff.examples.graph;

import io.teff.engine.Store;
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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores the graph of many class files in a store, in three steps.
 *
 * <ol>
 * <li>Reserve a CID for each class, in the order of the names and consecutive, so that a CID's distance from the first
 *     is the class's index.
 * <li>Read the class files, several threads at once, and create each vertex at its CID. The classes it refers to may
 *     not have been read yet, but their CIDs are known.
 * <li>Reverse the edges: count the referrers of each vertex, create its incoming chunk of that size, store the CID of
 *     that chunk in the vertex, and read the edges again to fill it.
 * </ol>
 *
 * The Java heap has the names, one class file per thread, and a few numbers per class. A reader is used once.
 */
public final class ClassGraphReader {
    private static final int CAPACITY_FIRST = 64;

    private final Store store;
    private final List<Map.Entry<String, Path>> files;
    private final int threads;
    private final Map<String, Long> cidByName;
    private final long[] vertexes;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicLong edges = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    /** Creates a reader of {@code files} that stores them with {@code threads} threads. */
    public ClassGraphReader(Store store, ClassFiles files, int threads) {
        this.store = store;
        this.files = List.copyOf(files.byName().entrySet());
        this.threads = threads;
        this.cidByName = HashMap.newHashMap(files.count());
        this.vertexes = new long[files.count()];
    }

    /**
     * Reads all files and returns the graph.
     *
     * @throws IOException if a file cannot be read or is no class file
     * @throws StoreException of category DEGRADED if the store is too small
     */
    public ClassGraph read() throws IOException {
        reserve();
        storeAll();
        reverseEdges();
        return new ClassGraph(store, cidByName, edges.get(), unknown.get());
    }

    /** Returns the number of class files whose reading has begun. Thread-safe. */
    public int classesRead() {
        return Math.min(next.get(), files.size());
    }

    // ---- reserve ----

    private void reserve() {
        Refusal.check(store.ids().reserve(vertexes, 0, vertexes.length), "reserve", 0);
        for (int i = 0; i < vertexes.length; i++) {
            cidByName.put(files.get(i).getKey(), vertexes[i]);
        }
    }

    private int index(long vertex) {
        return (int) (vertex - vertexes[0]);
    }

    // ---- read ----

    private void storeAll() throws IOException {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(pool.submit(this::storeMany));
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

    /** Runs one worker: reads file after file until none is left, or another worker has failed. */
    private @Nullable Void storeMany() throws IOException {
        boolean good = false;
        try {
            for (int i = next.getAndIncrement(); i < vertexes.length; i = next.getAndIncrement()) {
                storeOne(i);
            }
            good = true;
        } finally {
            if (!good) {
                next.set(vertexes.length);
            }
        }
        return null;
    }

    private void storeOne(int index) throws IOException {
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
        }
        byte[] chunk = VertexLayout.encode(files.get(index).getKey(), references, count);
        Refusal.check(store.ids().createAt(vertexes[index], chunk), "create", vertexes[index]);
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

    private void reverseEdges() {
        long[] incoming = createIncoming(countReferrers());
        int[] filled = new int[vertexes.length];
        Neighbours neighbours = new Neighbours(store);
        for (long vertex : vertexes) {
            neighbours.readReferences(vertex);
            for (int i = 0; i < neighbours.count(); i++) {
                int target = index(neighbours.cid(i));
                long offset = VertexLayout.referrerOffset(filled[target]++);
                Refusal.check(store.fields().putLong(incoming[target], offset, vertex), "put", incoming[target]);
            }
        }
    }

    private int[] countReferrers() {
        int[] counts = new int[vertexes.length];
        Neighbours neighbours = new Neighbours(store);
        for (long vertex : vertexes) {
            neighbours.readReferences(vertex);
            for (int i = 0; i < neighbours.count(); i++) {
                counts[index(neighbours.cid(i))]++;
            }
        }
        return counts;
    }

    private long[] createIncoming(int[] referrerCounts) {
        long[] incoming = new long[vertexes.length];
        for (int i = 0; i < vertexes.length; i++) {
            long bytes = VertexLayout.referrerOffset(referrerCounts[i]);
            incoming[i] = Refusal.check(store.create(bytes), "create", 0);
            int noted = store.fields().putLong(vertexes[i], VertexLayout.INCOMING_OFFSET, incoming[i]);
            Refusal.check(noted, "put", vertexes[i]);
        }
        return incoming;
    }
}
