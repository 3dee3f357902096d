package io.teff.engine.lock;

/**
 * The word of a stripe: a seqlock with two more bits. Pure functions.
 * <pre>
 *  63                                           3    2        1        0
 *  +---------------------------------------------+--------+--------+--------+
 *  |                 version (61)                | closed | frozen | writer |
 *  +---------------------------------------------+--------+--------+--------+
 * </pre>
 * Readers never write it. A version repeats after 2^61 writes to one stripe: never. A closed word never changes.
 */
public final class StripeWord {
    /** A writer is inside. */
    public static final long WRITER = 1L;
    /** Writers must stay out, readers may pass. */
    public static final long FROZEN = 2L;
    /** Everybody must stay out, for ever. */
    public static final long CLOSED = 4L;
    /** Bits of a word at which no read may begin. */
    public static final long UNREADABLE = WRITER | CLOSED;
    /** Result of a step that is not possible now. */
    public static final long REFUSED = -1L;

    private static final long VERSION_ONE = 8L;

    static {
        assert (WRITER | FROZEN | CLOSED) == VERSION_ONE - 1 : "bits must tile the word";
    }

    private StripeWord() {}

    /**
     * Tells whether a reader may begin.
     *
     * @param word a stripe word
     * @return false if a writer is inside or the store is closed
     */
    public static boolean readable(long word) {
        return (word & UNREADABLE) == 0;
    }

    /**
     * The word after a writer enters.
     *
     * @param word a stripe word
     * @return the new word, or {@link #REFUSED}
     */
    public static long entered(long word) {
        return (word & (WRITER | FROZEN | CLOSED)) == 0 ? word | WRITER : REFUSED;
    }

    /**
     * The word after the writer leaves: the next version.
     *
     * @param word the word that the writer made
     * @return the new word
     */
    public static long left(long word) {
        assert (word & WRITER) != 0 && (word & (FROZEN | CLOSED)) == 0 : word;
        return word - WRITER + VERSION_ONE;
    }

    /**
     * The word after it was frozen.
     *
     * @param word a stripe word
     * @return the new word, or {@link #REFUSED} while a writer is inside or when it is frozen or closed
     */
    public static long frozen(long word) {
        return (word & (WRITER | FROZEN | CLOSED)) == 0 ? word | FROZEN : REFUSED;
    }

    /**
     * The word after it was thawed. Nothing was written, but the version moves so that freezing is seen once.
     *
     * @param word a frozen word
     * @return the new word
     */
    public static long thawed(long word) {
        assert (word & FROZEN) != 0 && (word & (WRITER | CLOSED)) == 0 : word;
        return word - FROZEN + VERSION_ONE;
    }

    /**
     * The word of a closed stripe.
     *
     * @param word a frozen word
     * @return the new word, for ever
     */
    public static long closed(long word) {
        assert (word & FROZEN) != 0 && (word & (WRITER | CLOSED)) == 0 : word;
        return word - FROZEN + CLOSED;
    }
}
