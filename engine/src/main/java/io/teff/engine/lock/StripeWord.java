package io.teff.engine.lock;

/**
 * The word of a stripe: a seqlock with two additional bits. Pure functions.
 * <pre>
 *  63                                           3    2        1        0
 *  +---------------------------------------------+--------+--------+--------+
 *  |                 version (61)                | closed | frozen | writer |
 *  +---------------------------------------------+--------+--------+--------+
 * </pre>
 * Readers never write it. A version would repeat after 2^61 writes to one stripe, which cannot happen. A closed word
 * never changes, with an exception: a writer inside at the close may leave later.
 */
public final class StripeWord {
    /** A writer is inside. */
    public static final long WRITER = 1L;
    /** Writers must wait; readers may proceed. */
    public static final long FROZEN = 2L;
    /** No thread may enter any more. */
    public static final long CLOSED = 4L;
    /** Bits of a word that forbid a read to begin. */
    public static final long UNREADABLE = WRITER | CLOSED;
    /** Result of a transition that is not possible now. */
    public static final long REFUSED = -1L;

    private static final long VERSION_ONE = 8L;

    static {
        assert (WRITER | FROZEN | CLOSED) == VERSION_ONE - 1 : "bits must tile the word";
    }

    private StripeWord() {}

    /**
     * Returns whether a read may begin.
     *
     * @param word a stripe word
     * @return false if a writer is inside or the store is closed
     */
    public static boolean readable(long word) {
        return (word & UNREADABLE) == 0;
    }

    /**
     * Returns the word after a writer enters.
     *
     * @param word a stripe word
     * @return the new word, or {@link #REFUSED}
     */
    public static long entered(long word) {
        return (word & (WRITER | FROZEN | CLOSED)) == 0 ? word | WRITER : REFUSED;
    }

    /**
     * Returns the word after the writer leaves, with the next version; it stays closed if it was closed meanwhile.
     *
     * @param word the word while the writer is inside
     * @return the new word
     */
    public static long left(long word) {
        assert (word & WRITER) != 0 && (word & FROZEN) == 0 : word;
        return word - WRITER + VERSION_ONE;
    }

    /**
     * Returns the word after freezing.
     *
     * @param word a stripe word
     * @return the new word, or {@link #REFUSED} if a writer is inside, or the word is frozen or closed
     */
    public static long frozen(long word) {
        return (word & (WRITER | FROZEN | CLOSED)) == 0 ? word | FROZEN : REFUSED;
    }

    /**
     * Returns the word after thawing. Nothing was written, but the version advances so that each freeze is noticed
     * once.
     *
     * @param word a frozen word
     * @return the new word
     */
    public static long thawed(long word) {
        assert (word & FROZEN) != 0 && (word & (WRITER | CLOSED)) == 0 : word;
        return word - FROZEN + VERSION_ONE;
    }

    /**
     * Returns the word of a closed stripe.
     *
     * @param word a frozen word
     * @return the new word, which never changes again
     */
    public static long closed(long word) {
        assert (word & FROZEN) != 0 && (word & (WRITER | CLOSED)) == 0 : word;
        return word - FROZEN + CLOSED;
    }

    /**
     * Returns the word of a stripe that is closed around a writer, because the writer does not leave.
     *
     * @param word the word while the writer is inside
     * @return the new word
     */
    public static long closedAround(long word) {
        assert (word & WRITER) != 0 && (word & (FROZEN | CLOSED)) == 0 : word;
        return word | CLOSED;
    }
}
