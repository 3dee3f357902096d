package io.teff.cluster.operation;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of a peer's answers to reads that wait for acknowledgements: without a bound, clients could fill
 * the heap by many reads of long chunks whose last change no backup has yet. One answer is always taken, so that each
 * read can be answered. Answers of changes are not counted; the ring bounds the changes that wait. Thread-safe.
 */
final class HeldBytes {
    /** Two of the longest answers. */
    static final long BYTES_MAX = 2L * OperationFormat.LONG_BYTES_MAX;

    private final AtomicLong sum = new AtomicLong();

    /** Takes memory for an answer; returns false if other answers have all memory. */
    boolean take(int bytes) {
        long known = sum.get();
        while (known == 0 || known + bytes <= BYTES_MAX) {
            final long before = sum.compareAndExchange(known, known + bytes);
            if (before == known) {
                return true;
            }
            known = before;
        }
        return false;
    }

    /** Gives the memory of an answer back. */
    void give(int bytes) {
        sum.addAndGet(-bytes);
    }
}
