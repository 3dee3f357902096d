package io.teff.test.crash;

import java.util.List;

/**
 * The kinds of keys. A key is the number of its thread, of its group, and a number among those.
 * <pre>
 *  63            40 39            32 31                             0
 * +----------------+----------------+--------------------------------+
 * | thread (24)    | group (8)      | number (32)                    |
 * +----------------+----------------+--------------------------------+
 * </pre>
 */
enum Group {
    /** Chunks whose CIDs the store assigns. */
    OWN(400),
    /** Chunks of another creator, in several zones, whose CIDs are reused. */
    GUEST(60),
    /** Chunks of more than 1 MiB. */
    LARGE(2),
    /** Entries of a map. */
    MAP(300),
    /** Entries of a sorted map. */
    SORTED(300),
    /** Elements of a queue: a key is a thread, a state is the element's number. */
    QUEUE(0);

    private static final int THREAD_SHIFT = 40;
    private static final int GROUP_SHIFT = 32;
    private static final int GROUP_MASK = 0xFF;
    private static final int SHORT_MAX = 200;
    private static final int MIDDLE_MAX = 5_000;
    private static final int LONG_MAX = 100 << 10;
    private static final int LARGE_MIN = (1 << 20) - 100;
    private static final int LARGE_MAX = 5 << 19;
    private static final int EMPTY_PERCENT = 3;
    private static final int SHORT_PERCENT = 70;
    private static final int MIDDLE_PERCENT = 99;

    private static final List<Group> ALL = List.of(values());

    /** Number of keys per thread. */
    final int count;

    Group(int count) {
        this.count = count;
    }

    long key(int thread, int number) {
        return (long) thread << THREAD_SHIFT | (long) ordinal() << GROUP_SHIFT | number;
    }

    static boolean isKey(long key) {
        return key >= 0 && (key >>> GROUP_SHIFT & GROUP_MASK) < ALL.size();
    }

    static Group of(long key) {
        return ALL.get((int) (key >>> GROUP_SHIFT & GROUP_MASK));
    }

    static int thread(long key) {
        return (int) (key >>> THREAD_SHIFT);
    }

    static int number(long key) {
        return (int) key;
    }

    static String text(long key) {
        return of(key) + " " + number(key) + " of thread " + thread(key);
    }

    /** Whether the keys are chunks that the load creates itself. */
    boolean isChunk() {
        return this == OWN || this == GUEST || this == LARGE;
    }

    /** Returns a length from two random numbers. */
    int length(int percent, long more) {
        if (this == LARGE) {
            return LARGE_MIN + (int) Long.remainderUnsigned(more, LARGE_MAX - LARGE_MIN);
        }
        if (percent < EMPTY_PERCENT) {
            return this == QUEUE ? Content.HEAD_BYTES : 0;
        }
        final int max = percent < SHORT_PERCENT ? SHORT_MAX : percent < MIDDLE_PERCENT ? MIDDLE_MAX : LONG_MAX;
        final int length = (int) Long.remainderUnsigned(more, max + 1);
        return this == QUEUE ? Math.max(Content.HEAD_BYTES, length) : length;
    }
}
