package io.teff.engine.journal;

import org.jspecify.annotations.Nullable;

/**
 * Records that their threads have claimed and not committed, left to the journal. A thread whose stack has ended can
 * make no call, not even one that abandons its record; so it leaves the record here by plain statements:
 * <pre>{@code
 * synchronized (abandoned) {
 *     abandoned.unknown++;                             // remains if the heap has no room for the next line
 *     abandoned.last = new Object[] {new long[] {record}, abandoned.last};
 *     abandoned.unknown--;
 * }
 * }</pre>
 * Any thread leaves records, the journal takes them. A record that was committed in its last moment may be among them.
 */
public final class AbandonedRecords {
    /** The record left last, as an array of longs, and the array like this one that was there before; null if none. */
    public volatile Object @Nullable [] last;
    /** Number of records that were lost, because the heap had no room to leave them. Written under this monitor. */
    public volatile int unknown;

    /** Makes an empty list. */
    public AbandonedRecords() {}

    /** {@return whether no record was left, or all are taken and known} */
    public boolean isEmpty() {
        return last == null && unknown == 0;
    }

    /** Takes what one thread has left. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Takes a record.
         *
         * @param record what the thread has left
         */
        void take(long[] record);
    }

    /**
     * Passes on all records, and forgets each afterwards.
     *
     * @param taker receives each record
     * @return whether all records that were ever left are known
     */
    public synchronized boolean take(Taker taker) {
        for (Object[] now = last; now != null; now = last) {
            taker.take((long[]) now[0]);
            last = (Object[]) now[1];
        }
        return unknown == 0;
    }
}
