package io.teff.test.crash;

/**
 * The state of a key: the number of its changes, and whether it exists.
 * <pre>
 *  63                                                   2 1   0
 * +------------------------------------------------------+-----+
 * |                     version (62)                     | kind|
 * +------------------------------------------------------+-----+
 * </pre>
 */
final class State {
    /** The key does not exist. */
    static final int ABSENT = 0;
    /** It was created; its value has at least {@link Content#HEAD_BYTES}, so that it names its key. */
    static final int CREATED = 1;
    /** It was changed, to a value of any length. */
    static final int CHANGED = 2;

    private static final int KIND_BITS = 2;
    private static final long KIND_MASK = (1L << KIND_BITS) - 1;

    private State() {}

    /** Returns the state after the given one. */
    static long next(long state, int kind) {
        return (version(state) + 1) << KIND_BITS | kind;
    }

    static long version(long state) {
        return state >>> KIND_BITS;
    }

    static int kind(long state) {
        return (int) (state & KIND_MASK);
    }

    static boolean isPresent(long state) {
        return kind(state) != ABSENT;
    }

    static String text(long state) {
        return "version " + version(state) + (isPresent(state) ? "" : " (removed)");
    }
}
