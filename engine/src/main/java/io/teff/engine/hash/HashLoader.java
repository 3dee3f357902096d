package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.os.SystemInfo;
import io.teff.engine.os.Threads;
import io.teff.engine.storage.CollectionChunks;
import io.teff.engine.storage.WriterLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Implements {@link MapLoader}: collects entries in a {@link LoadPart} for each writer lock, and gives the parts to as
 * many threads as there are processors. No two threads load the same part, so their locks and buckets never meet.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
class HashLoader<K, V> implements MapLoader<K, V> {
    /** Fewer entries are put by the calling thread alone. */
    private static final int HELPED_ENTRIES_MIN = 1 << 15;
    /** Collected entries may take this memory on the heap, also if less is free. */
    private static final long BYTES_MIN = 16L << 20;

    final LinearHash table;
    final HashOperation operation = new HashOperation();
    private final CollectionChunks chunks;
    private final KeyForm<K> keys;
    private final Codec<V> values;
    private final LoadPart[] parts = new LoadPart[WriterLocks.COUNT];
    /** Half of the heap that is free at first: each flush stores the buckets anew, so there are few of them. */
    private final long bytesMax = Math.max(freeBytes() / 2, BYTES_MIN);
    private long bytes;
    private long entries;
    /** Number of entries that are still to come, and their weight, for which the table has grown. */
    private long expected;
    private long announced;
    private boolean isClosed;

    HashLoader(LinearHash table, KeyForm<K> keys, Codec<V> values, long expectedEntries) {
        if (expectedEntries < 0) {
            throw new IllegalArgumentException("expectedEntries=" + expectedEntries);
        }
        this.table = table;
        this.chunks = table.chunks;
        this.keys = keys;
        this.values = values;
        this.expected = expectedEntries;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new LoadPart();
        }
        table.state.check();
    }

    private static long freeBytes() {
        Runtime heap = Runtime.getRuntime();
        return heap.maxMemory() - (heap.totalMemory() - heap.freeMemory());
    }

    @Override
    public final void add(K key, V value) {
        Objects.requireNonNull(key);
        Objects.requireNonNull(value);
        checkOpen();
        keys.write(key, operation, table.seed);
        addValue(value);
    }

    /** Adds the entry of the key in {@link #operation}. */
    final void addValue(V value) {
        operation.beginEntry().putValue(values, value);
        operation.endEntry();
        addEntry();
    }

    /** Adds the entry in {@link #operation}. */
    final void addEntry() {
        bytes += parts[WriterLocks.of(operation.hash)].add(operation.hash, operation.out().array(),
            operation.out().size());
        entries++;
        if (bytes > bytesMax) {
            flush();
        }
    }

    final void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("the loader is closed");
        }
    }

    @Override
    public final void close() {
        if (!isClosed) {
            isClosed = true;
            try {
                load();
            } finally {
                table.counters.expect(-announced);
            }
        }
    }

    @Override
    public final void flush() {
        checkOpen();
        load();
    }

    // ---- flush ----

    private void load() {
        table.state.check();
        if (entries == 0) {
            return;
        }
        table.writerLocks.checkNotInside();
        table.bulk.readLock().lock();
        try {
            if (table.indexes == null) {
                loadBuckets();
            } else {
                loadEach();
            }
        } finally {
            table.bulk.readLock().unlock();
        }
    }

    /** Puts the entries of a map with indexes one by one. If one is refused, this and the later ones are dropped. */
    private void loadEach() {
        final EntryWriter writer = new EntryWriter(table);
        try {
            for (LoadPart part : parts) {
                part.forEach((hash, bytes, from, size) -> {
                    operation.setEntry(hash, bytes, from, size, table.keys.end(bytes, from) - from);
                    chunks.begin();
                    table.lock(operation);
                    try {
                        writer.put(operation, table.writer().find(operation));
                    } finally {
                        table.unlock(operation.hash);
                    }
                });
                part.clear();
            }
        } finally {
            for (LoadPart part : parts) {
                part.clear();
            }
            count();
        }
    }

    private void loadBuckets() {
        chunks.begin();
        final long weight = weight();
        expected = Math.max(expected - entries, 0);
        final long later = isClosed ? 0 : weight / entries * expected;
        table.counters.expect(weight + later - announced);
        announced = later;
        try {
            table.growth().growForLoad();
            new Crew(Math.min(SystemInfo.processors(), (int) Math.min(entries / HELPED_ENTRIES_MIN + 1, parts.length)))
                .run();
        } finally {
            table.counters.expect(-weight());
            count();
        }
        chunks.done();
    }

    private long weight() {
        long weight = 0;
        for (LoadPart part : parts) {
            weight += part.weight();
        }
        return weight;
    }

    /** Counts the entries that are left, after a failure. */
    private void count() {
        entries = 0;
        bytes = 0;
        for (LoadPart part : parts) {
            entries += part.count();
            bytes += part.bytes();
        }
    }

    /** The threads of one flush. */
    private final class Crew {
        private final int size;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        Crew(int size) {
            this.size = size;
        }

        void run() {
            List<Thread> helpers = new ArrayList<>();
            try {
                for (int i = 1; i < size; i++) {
                    startHelper(helpers);
                }
                loadParts();
            } finally {
                next.set(parts.length);
                helpers.forEach(Threads::join);
            }
            Throwable thrown = failure.get();
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
        }

        /** Starts a helper; if the system has no thread left, the others do its work. */
        private void startHelper(List<Thread> helpers) {
            try {
                Thread helper = chunks.threads().create("teff-load " + chunks.storeName(), this::help);
                helper.start();
                helpers.add(helper);
            } catch (OutOfMemoryError e) {
                return;
            }
        }

        private void help() {
            try {
                loadParts();
                chunks.done();
            } catch (RuntimeException | Error e) {
                failure.compareAndSet(null, e);
            }
        }

        private void loadParts() {
            BucketLoader loader = new BucketLoader(table);
            for (int i = next.getAndIncrement(); i < parts.length; i = next.getAndIncrement()) {
                if (parts[i].count() > 0 && failure.get() == null) {
                    loader.load(parts[i], i);
                    table.counters.expect(-parts[i].weight());
                    parts[i].clear();
                }
            }
        }
    }
}
