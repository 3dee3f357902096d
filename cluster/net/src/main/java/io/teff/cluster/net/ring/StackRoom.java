package io.teff.cluster.net.ring;

/**
 * Finds the end of a thread's stack before the change of a structure that must not be left half-changed. A thread with
 * this room makes all calls of such a change; a thread without this room gets a {@link StackOverflowError} here. For
 * rare changes: the check takes half a microsecond.
 */
final class StackRoom {
    /** Nested calls, at least 32 bytes of stack for each call, compiled or not: 16 KiB in all. */
    private static final int DEPTH = 512;

    private StackRoom() {}

    /**
     * Returns if the calling thread has room for the calls of a change.
     *
     * @throws StackOverflowError if the thread has no room
     */
    static void ensure() {
        if (descend(DEPTH, 1, 2, 3) == 0) {
            throw new AssertionError("a sum of positive numbers");
        }
    }

    /** Calls itself; the sum keeps the arguments on the stack until the call has returned. */
    private static long descend(int depth, long first, long second, long third) {
        return depth == 0 ? first + second + third
            : first + descend(depth - 1, second, third, first + depth) + second + third;
    }
}
