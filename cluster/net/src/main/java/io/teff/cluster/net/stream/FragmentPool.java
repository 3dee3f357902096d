package io.teff.cluster.net.stream;

import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

/** Reusable copies of fragments, and reusable arrays for the bytes of messages. Thread-safe. */
final class FragmentPool {
    /** Number of kept copies, without their arrays. */
    private static final int SPARE_COPIES = 1 << 8;

    private final MpmcAtomicArrayQueue<FragmentCopy> copies = new MpmcAtomicArrayQueue<>(SPARE_COPIES);
    private final ArrayPool arrays;

    FragmentPool(ArrayPool arrays) {
        this.arrays = arrays;
    }

    /** Returns the pool of arrays for the bytes of messages. */
    ArrayPool arrays() {
        return arrays;
    }

    /** Returns a copy without an array. */
    FragmentCopy take() {
        final FragmentCopy used = copies.poll();
        return used != null ? used : new FragmentCopy();
    }

    /** Takes back a copy after its bytes were read, and the array of the copy. */
    void giveBack(FragmentCopy copy) {
        arrays.giveBack(copy.takeBytes());
        copies.offer(copy);
    }
}
