package io.teff.engine.table;

/**
 * The free indexes of one table page, packed in a {@code long}. Pure functions.
 * <pre>
 *  63        40 39     26 25      13 12         0
 *  +----------+--+--------+----------+-----------+
 *  |   zero   |Q | dead   |  count   |   head    |      Q: the page is in the queue of pages to reuse
 *  +----------+--+--------+----------+-----------+      head: slot plus 1, 0 at the end
 * </pre>
 * A push is a CAS; the entry's link is set to the old head before. Taking the whole list is one exchange, so there is
 * no ABA problem. Dead entries are retired entries.
 */
final class FreeWord {
    /** Number of entries of a page. */
    static final int SLOTS = 4096;
    /** A page with this many free indexes is queued for reuse. */
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

    /**
     * Returns the word after {@code count} linked slots were pushed, {@code slot} first; sets Q if the page becomes
     * worth reusing.
     */
    static long pushed(long word, int slot, int count) {
        assert count(word) + dead(word) + count <= SLOTS : word;
        long pushed = (word & ~FIELD_MASK | slot + 1) + ((long) count << COUNT_SHIFT);
        return count(pushed) >= REUSE_MIN ? pushed | QUEUED : pushed;
    }

    /** Returns the word after one slot was removed from the list, whose new head is {@code head}. */
    static long taken(long word, int head) {
        return (word & ~FIELD_MASK | head) - (1L << COUNT_SHIFT);
    }

    /** Returns the word after an index was retired. */
    static long died(long word) {
        return word + (1L << DEAD_SHIFT);
    }

    /** Returns the word after the page was taken from the queue with its whole list. */
    static long detached(long word) {
        return word & FIELD_MASK << DEAD_SHIFT;
    }

    /** Returns the word after the page was queued although it has few free indexes. */
    static long withQueued(long word) {
        return word | QUEUED;
    }

    /** Returns the word after the page was released to the region; the page stays in the queue if it was there. */
    static long released(long word) {
        return word & QUEUED;
    }

    /**
     * Returns whether no index of the page is in use or in a stripe's stock, so that the page may be released.
     *
     * @param word the page's word
     * @param indexes number of the page's indexes that can be in a list, or retired
     */
    static boolean releasable(long word, int indexes) {
        return count(word) + dead(word) == indexes;
    }
}
