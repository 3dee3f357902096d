package io.teff.engine.alloc;

/**
 * The control word of a page: the number of slots in use, and the state. The state decides which thread may change the
 * page. Pure functions.
 * <pre>
 *  63            19 18   16 15             0
 *  +---------------+-------+----------------+
 *  |     zero      | state |   used (16)    |
 *  +---------------+-------+----------------+
 *
 *  ACTIVE   to FULL     the owner found no free slot
 *  FULL     to LISTING  a freer
 *  LISTING  to LISTED   the same freer, when it has the class lock; to GONE if no slot is used any more
 *  LISTED   to ACTIVE   adopted by a stripe, under the class lock
 *  LISTED   to GONE     the freer of the last slot
 *  ACTIVE   to LISTING  abandoned by its owner
 * </pre>
 * A slot counts as used from the time a stripe claims it until it is freed. Exactly one thread makes each transition:
 * the winner of the CAS to LISTING puts the page on the list of its class, the winner of the CAS to GONE removes the
 * page from the list and gives the page back. So no other thread accesses a page after it was given back.
 */
public final class PageControl {
    /** A stripe allocates from the page. */
    public static final int ACTIVE = 0;
    /** Every slot is used; the page is on no list. */
    public static final int FULL = 1;
    /** A freer is about to put the page on its class's list. */
    public static final int LISTING = 2;
    /** On its class's list: any stripe may adopt it. */
    public static final int LISTED = 3;
    /** Empty; the thread that made this transition gives the page back. */
    public static final int GONE = 4;
    /** Result of a transition that is not possible now. */
    public static final long REFUSED = -1L;

    private static final int USED_BITS = 16;
    private static final long USED_MASK = (1L << USED_BITS) - 1;

    private PageControl() {}

    static long pack(int state, int used) {
        assert state >= ACTIVE && state <= GONE : state;
        assert used >= 0 && used <= USED_MASK : used;
        return (long) state << USED_BITS | used;
    }

    static int state(long word) {
        return (int) (word >>> USED_BITS);
    }

    static int used(long word) {
        return (int) (word & USED_MASK);
    }

    /** Returns the word after the owner has claimed slots. */
    static long claimed(long word, int count) {
        assert state(word) == ACTIVE : word;
        return pack(ACTIVE, used(word) + count);
    }

    /**
     * Returns the word after any thread has freed a slot; {@link #REFUSED} if no slot is used, because the page is
     * damaged.
     */
    static long freed(long word) {
        int left = used(word) - 1;
        if (left < 0) {
            return REFUSED;
        }
        return switch (state(word)) {
            case ACTIVE -> pack(ACTIVE, left);
            case FULL, LISTING -> pack(LISTING, left);
            case LISTED -> pack(left == 0 ? GONE : LISTED, left);
            default -> REFUSED;
        };
    }

    /** Returns the word after the owner has found no free slot; {@link #REFUSED} if a slot was freed meanwhile. */
    static long exhausted(long word, int capacity) {
        assert state(word) == ACTIVE : word;
        return used(word) == capacity ? pack(FULL, capacity) : REFUSED;
    }

    /** Returns the word after the owner has abandoned a page with free slots, which the owner then lists. */
    static long abandoned(long word) {
        assert state(word) == ACTIVE : word;
        return pack(LISTING, used(word));
    }

    /** Returns the word after the lister, which holds the class lock, has listed the page. */
    static long listed(long word) {
        assert state(word) == LISTING : word;
        return pack(used(word) == 0 ? GONE : LISTED, used(word));
    }

    /**
     * Returns the word after a stripe has taken the page from the list; {@link #REFUSED} if the page is about to be
     * released.
     */
    static long adopted(long word) {
        return state(word) == LISTED ? pack(ACTIVE, used(word)) : REFUSED;
    }
}
