package io.teff.engine.table;

/**
 * The free indexes of one table page, packed in a {@code long}. Pure functions.
 * <pre>
 *  63        40 39     26 25      13 12         0
 *  +----------+--+--------+----------+-----------+
 *  |   zero   |Q | dead   |  count   |   head    |      Q: the page is in the queue of pages to reuse
 *  +----------+--+--------+----------+-----------+      head: slot plus 1, 0 at the end
 * </pre>
 * A push is a CAS with the entry's link set to the old head before; taking the whole list is one exchange, so there is
 * no ABA. Dead entries are retired ones.
 */
final class FreeWord {
    /** Entries of a page. */
    static final int SLOTS = 4096;
    /** A page with so many free indexes is queued for reuse. */
    static final int REUSE_MIN = 64;

    private static final int FIELD_BITS = 13;
    private static final long FIELD_MASK = (1L << FIELD_BITS) - 1;
    private static final int COUNT_SHIFT = FIELD_BITS;
    private static final int DEAD_SHIFT = 2 * FIELD_BITS;
    private static final long QUEUED = 1L << 3 * FIELD_BITS;

    static {
        assert SLOTS <= FIELD_MASK : "a full count must fit";
    }

    private FreeWord() {}

    static int head(long word) {
        return (int) (word & FIELD_MASK);
    }

    static int count(long word) {
        return (int) (word >>> COUNT_SHIFT & FIELD_MASK);
    }

    static int dead(long word) {
        return (int) (word >>> DEAD_SHIFT & FIELD_MASK);
    }

    static boolean queued(long word) {
        return (word & QUEUED) != 0;
    }

    /** After so many slots, linked, were pushed, this one first; sets Q when that makes the page worth reusing. */
    static long pushed(long word, int slot, int count) {
        assert count(word) + dead(word) + count <= SLOTS : word;
        long pushed = (word & ~FIELD_MASK | slot + 1) + ((long) count << COUNT_SHIFT);
        return count(pushed) >= REUSE_MIN ? pushed | QUEUED : pushed;
    }

    /** After one slot was taken out of the list, which begins with another one now, or not. */
    static long taken(long word, int head) {
        return (word & ~FIELD_MASK | head) - (1L << COUNT_SHIFT);
    }

    /** After an index was retired. */
    static long died(long word) {
        return word + (1L << DEAD_SHIFT);
    }

    /** After the page was taken from the queue, with its whole list. */
    static long detached(long word) {
        return word & FIELD_MASK << DEAD_SHIFT;
    }

    /** After the page was queued although it has few free indexes. */
    static long withQueued(long word) {
        return word | QUEUED;
    }

    /** After the page was given back to the region; it stays in the queue if it was. */
    static long released(long word) {
        return word & QUEUED;
    }

    /** True if no index of the page is in use or in a stripe's hands, and the page may go. */
    static boolean releasable(long word) {
        return count(word) + dead(word) == SLOTS;
    }
}
