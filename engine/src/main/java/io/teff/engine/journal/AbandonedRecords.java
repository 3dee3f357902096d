package io.teff.engine.journal;

/**
 * Records that their threads have claimed and not committed, left to the journal. A thread whose stack has ended can
 * make no call, enter no monitor, resolve no class and allocate no array. So it leaves the record by one statement, in
 * an array that it has fetched before:
 * <pre>{@code
 * left[(int) (record >>> AbandonedRecords.SHIFT) & left.length - 1] = record;
 * }</pre>
 * The journal looks for a record in its place when it waits for just this record. If two records have one place, which
 * is improbable, one of them stays unknown.
 */
public final class AbandonedRecords {
    /** Two records whose numbers differ by at least two to this power have different places, if there are enough. */
    public static final int SHIFT = 5;

    private static final int PLACES_MAX = 1 << 14;

    private final long[] places;

    /**
     * Makes an empty list.
     *
     * @param span difference of the numbers of the first and the last record that are not ended, a power of two
     */
    public AbandonedRecords(long span) {
        places = new long[(int) Math.min(PLACES_MAX, Math.max(1, span >>> SHIFT))];
    }

    /** {@return the array that records are left in, always the same one} */
    public long[] places() {
        return places;
    }

    /**
     * Returns what was left in the place of a record.
     *
     * @param record its number
     * @return what a thread has left there last, or 0
     */
    public long at(long record) {
        return places[(int) (record >>> SHIFT) & places.length - 1];
    }

    /**
     * Empties the place of a record.
     *
     * @param record its number
     */
    public void forget(long record) {
        places[(int) (record >>> SHIFT) & places.length - 1] = 0;
    }
}
