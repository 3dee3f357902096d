package io.teff.cluster.operation;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;

/** Memory of a thread for building answers; used again for each request. */
final class Scratch {
    private static final int BYTES_MIN = 1 << 10;
    private static final int COUNT_MIN = 128;
    /** Longer arrays are not kept. */
    private static final int KEPT_BYTES_MAX = 1 << 21;

    /** Not private: the thread of a simulation is several threads, whose requests are executed inside of each other. */
    static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial((Supplier<Scratch>) Scratch::new);

    private byte[] bytes = new byte[BYTES_MIN];
    private MemorySegment memory = MemorySegment.ofArray(bytes);
    private long[] cids = new long[COUNT_MIN];
    private long[] results = new long[COUNT_MIN];
    private int[] ints = new int[COUNT_MIN];
    private int requests;

    /** Returns the calling thread's memory. */
    static Scratch own() {
        return OWN.get();
    }

    /** Counts a request of this thread. Returns whether the request is the first one of a number. */
    boolean isDue(int each) {
        return requests++ % each == 0;
    }

    byte[] bytes() {
        return bytes;
    }

    MemorySegment memory() {
        return memory;
    }

    /** Makes room for a number of bytes, and keeps the present bytes. */
    void ensure(int count) {
        if (count > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(count, Math.min(bytes.length * 2L, Integer.MAX_VALUE - 8)));
            memory = MemorySegment.ofArray(bytes);
        }
    }

    /** Returns an array for at least a number of CIDs. */
    long[] cids(int count) {
        if (count > cids.length) {
            cids = new long[count];
        }
        return cids;
    }

    /** Returns an array for at least a number of results. */
    long[] results(int count) {
        if (count > results.length) {
            results = new long[count];
        }
        return results;
    }

    /** Returns an array for at least a number of lengths or statuses. */
    int[] ints(int count) {
        if (count > ints.length) {
            ints = new int[count];
        }
        return ints;
    }

    /** Gives very long arrays back. */
    void end() {
        if (bytes.length > KEPT_BYTES_MAX) {
            bytes = new byte[BYTES_MIN];
            memory = MemorySegment.ofArray(bytes);
        }
    }
}
