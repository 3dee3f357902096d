package io.teff.test.crash;

/**
 * The state of a key: how often it was changed, and whether it is there.
 * <pre>
 *  63                                                   2 1   0
 * +------------------------------------------------------+-----+
 * |                     version (62)                     | kind|
 * +------------------------------------------------------+-----+
 * </pre>
 */
final class State {
    /** The key is not there. */
    static final int ABSENT = 0;
    /** It was made; then it has at least {@link Content#HEAD_BYTES}, so that it says which key it is. */
    static final int CREATED = 1;
    /** It was changed, to any length. */
    static final int CHANGED = 2;

    private static final int KIND_BITS = 2;
    private static final long KIND_MASK = (1L << KIND_BITS) - 1;

    private State() {}

    /** What comes after a state. */
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
