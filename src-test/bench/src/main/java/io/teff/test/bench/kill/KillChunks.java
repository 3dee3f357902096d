package io.teff.test.bench.kill;

import io.teff.cluster.ClusterStore;
import io.teff.test.bench.load.Crew;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;

/**
 * The chunks: each byte follows from a chunk's number and version. A chunk is changed by one thread only, which knows
 * the last acknowledged version, so the content is known exactly.
 */
final class KillChunks {
    private static final int BATCH = 1_024;
    private static final int SCAN_BATCH = 500;
    private static final int ZONE_SHIFT = 48;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final ClusterStore store;
    private final int bytes;
    private final int threads;
    private final long[] cids;
    private final int[] versions;

    /**
     * Begins without chunks.
     *
     * @param store the client
     * @param count number of chunks
     * @param bytes length of each, a multiple of 8
     * @param threads threads that create and verify
     */
    KillChunks(ClusterStore store, int count, int bytes, int threads) {
        this.store = store;
        this.bytes = bytes;
        this.threads = threads;
        cids = new long[count];
        versions = new int[count];
    }

    int count() {
        return cids.length;
    }

    int bytes() {
        return bytes;
    }

    int zone(int number) {
        return (int) (cids[number] >>> ZONE_SHIFT);
    }

    private void fill(byte[] target, int offset, int number, int version) {
        ByteBuffer buffer = ByteBuffer.wrap(target);
        for (int at = 0; at < bytes; at += Long.BYTES) {
            long word = ((long) number << Integer.SIZE | version) + at * MIX;
            word = (word ^ word >>> 31) * MIX;
            buffer.putLong(offset + at, word ^ word >>> 29);
        }
    }

    /** Creates all chunks. */
    void create() throws InterruptedException {
        Crew.run(threads, thread -> {
            byte[] source = new byte[BATCH * bytes];
            for (int from = from(thread); from < from(thread + 1); from += BATCH) {
                int size = Math.min(BATCH, from(thread + 1) - from);
                int[] lengths = new int[size];
                Arrays.fill(lengths, bytes);
                for (int i = 0; i < size; i++) {
                    fill(source, i * bytes, from + i, 0);
                }
                int created = store.batch().create(MemorySegment.ofArray(source), lengths, cids, from, false);
                if (created < size) {
                    throw new IllegalStateException("the peers have no room for " + cids.length + " chunks");
                }
            }
        });
    }

    private int from(int thread) {
        return (int) ((long) cids.length * thread / threads);
    }

    /** Writes the next version of a chunk; one thread for each chunk. */
    void update(int number, byte[] buffer) {
        fill(buffer, 0, number, versions[number] + 1);
        int result = store.put(cids[number], buffer);
        if (result != 0) {
            throw new IllegalStateException("put returns " + result);
        }
        versions[number]++;
    }

    /** Reads a chunk of another store's client. */
    void read(ClusterStore reader, int number) {
        int length = reader.get(cids[number], new byte[Math.max(bytes, 128)]);
        if (length != bytes) {
            throw new IllegalStateException("get returns " + length);
        }
    }

    /**
     * Reads all chunks in batches, while other threads may change them.
     *
     * @param isOver whether to end early
     * @return false if it ended early
     */
    boolean readAll(BooleanSupplier isOver) {
        final byte[] target = new byte[SCAN_BATCH * bytes];
        final int[] lengths = new int[SCAN_BATCH];
        for (int from = 0; from < cids.length && !isOver.getAsBoolean(); from += SCAN_BATCH) {
            final int size = Math.min(SCAN_BATCH, cids.length - from);
            if (store.batch().get(cids, from, size, target, 0, lengths) < size) {
                throw new IllegalStateException("a chunk is missing");
            }
        }
        return !isOver.getAsBoolean();
    }

    /** Returns the number of chunks that are in some zones. */
    long countIn(Set<Integer> zones) {
        long count = 0;
        for (int i = 0; i < cids.length; i++) {
            count += zones.contains(zone(i)) ? 1 : 0;
        }
        return count;
    }

    /** Returns the number of a chunk in a zone, or -1. */
    int oneIn(int zone) {
        for (int i = 0; i < cids.length; i++) {
            if (zone(i) == zone) {
                return i;
            }
        }
        return -1;
    }

    /** Reads all chunks of some zones while nothing changes them; returns how many are wrong. */
    long verify(IntPredicate isZone) throws InterruptedException {
        LongAdder wrong = new LongAdder();
        AtomicLong next = new AtomicLong();
        Crew.run(threads, thread -> {
            long[] some = new long[BATCH];
            int[] numbers = new int[BATCH];
            int[] lengths = new int[BATCH];
            byte[] target = new byte[BATCH * bytes];
            byte[] expected = new byte[bytes];
            int size = 0;
            for (long from = next.getAndAdd(BATCH); from < cids.length; from = next.getAndAdd(BATCH)) {
                for (int i = (int) from; i < Math.min(from + BATCH, cids.length); i++) {
                    if (isZone.test(zone(i))) {
                        numbers[size] = i;
                        some[size++] = cids[i];
                    }
                    if (size == BATCH) {
                        wrong.add(wrongIn(some, numbers, size, target, lengths, expected));
                        size = 0;
                    }
                }
            }
            wrong.add(wrongIn(some, numbers, size, target, lengths, expected));
        });
        return wrong.sum();
    }

    private int wrongIn(long[] some, int[] numbers, int size, byte[] target, int[] lengths, byte[] expected) {
        if (size == 0) {
            return 0;
        }
        store.batch().get(some, 0, size, target, 0, lengths);
        int wrong = 0;
        int at = 0;
        for (int i = 0; i < size; i++) {
            fill(expected, 0, numbers[i], versions[numbers[i]]);
            wrong += lengths[i] != bytes || !Arrays.equals(expected, 0, bytes, target, at, at + bytes) ? 1 : 0;
            at += Math.max(lengths[i], 0);
        }
        return wrong;
    }
}
