package io.teff.cluster.net.stream;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

/**
 * Pooled arrays for messages too long for the array of their delivery. Lengths are powers of two; the pool keeps one
 * mebibyte of each length, as much as a window of messages needs, but at most 256 arrays. Thread-safe.
 */
public final class ArrayPool {
    /** Longest arrays kept by the pool: collected messages of many frames fit into one array. */
    private static final int BYTES_MAX = 1 << 20;
    private static final int KEPT_BYTES = 1 << 20;
    private static final int SIZES = Integer.numberOfTrailingZeros(BYTES_MAX) + 1;
    private static final int COUNT_MAX = 1 << 8;
    /** A queue has at least this many places. */
    private static final int COUNT_MIN = 2;

    /** Makes arrays; replaced by tests. */
    public IntFunction<byte[]> source = byte[]::new;
    /** Queues by the binary logarithm of the length of the arrays; each is made when the first array is given back. */
    private final AtomicReferenceArray<MpmcAtomicArrayQueue<byte[]>> spare = new AtomicReferenceArray<>(SIZES);

    /** Returns an array of at least this many bytes, with any content. */
    byte[] take(int bytes) {
        if (bytes > BYTES_MAX) {
            return source.apply(bytes);
        }
        final int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 1) - 1);
        final MpmcAtomicArrayQueue<byte[]> queue = spare.get(size);
        final byte[] used = queue == null ? null : queue.poll();
        return used != null ? used : source.apply(1 << size);
    }

    /** Takes back an array of this pool. No thread may read or write the array any more. */
    void giveBack(byte[] array) {
        if (array.length > 0 && array.length <= BYTES_MAX) {
            queue(Integer.numberOfTrailingZeros(array.length)).offer(array);
        }
    }

    private MpmcAtomicArrayQueue<byte[]> queue(int size) {
        final MpmcAtomicArrayQueue<byte[]> known = spare.get(size);
        if (known != null) {
            return known;
        }
        final MpmcAtomicArrayQueue<byte[]> made = new MpmcAtomicArrayQueue<>(
            Math.clamp(KEPT_BYTES >> size, COUNT_MIN, COUNT_MAX));
        final MpmcAtomicArrayQueue<byte[]> other = spare.compareAndExchange(size, null, made);
        return other == null ? made : other;
    }
}
