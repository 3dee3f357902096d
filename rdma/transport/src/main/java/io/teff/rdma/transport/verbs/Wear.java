package io.teff.rdma.transport.verbs;

/**
 * How many receives of a shared queue may be lost.
 *
 * <p>A device may lose the receive of a message whose rest never came, when its queue pair ends: the receive is neither
 * in the queue nor completed any more. Each queue pair holds one such receive at most, and no call says which.
 *
 * <p>The estimate never falls below the losses, if the device takes receives in the order in which they were posted.
 * When a receive completes that was posted after a mark, the queue has no earlier one: those that have not completed
 * are held or lost. So the queue pairs that ended before the mark need not be counted any more, as their losses are
 * among them; each of those that ended since counts as one loss. A mark is set anew when it is passed.
 *
 * <pre>
 *   ----- posted before the mark -----|mark|------ posted since ------&gt;
 *     known: held or lost                     carried, ended: queue pairs
 * </pre>
 *
 * <p>The estimate decides when a new queue is made, not when memory is used again: a device with another order costs a
 * queue too many, or too late. Constant time, no allocation.
 */
final class Wear {
    /** Share of the receives that may be held by open queue pairs without counting as lost. */
    private static final int HELD_SHARE = 8;

    private final int receives;
    /** Number of each buffer's receive in the order of posting. */
    private final long[] numbers;
    private long posted;
    private int outstanding;
    private long mark;
    /** Outstanding receives that were posted before the mark. */
    private int below;
    /** Receives that were held or lost when the last mark was passed. */
    private int known;
    /** Queue pairs that ended between the last mark and the one before. */
    private int carried;
    /** Queue pairs that ended since the last mark. */
    private int ended;

    Wear(int receives) {
        this.receives = receives;
        numbers = new long[receives];
    }

    void posted(int buffer) {
        numbers[buffer] = posted++;
        outstanding++;
    }

    void completed(int buffer) {
        outstanding--;
        if (numbers[buffer] < mark) {
            below--;
            return;
        }
        known = below;
        carried = ended;
        ended = 0;
        below = outstanding;
        mark = posted;
    }

    /** Counts a queue pair that has ended, and may have lost a receive. */
    void ended() {
        ended++;
    }

    /** Returns the estimate for a queue with so many open queue pairs. */
    int lost(int openCount) {
        return Math.max(0, known - Math.min(openCount, receives / HELD_SHARE)) + carried + ended;
    }

    /** Returns whether new links need another queue: half of the receives may be lost. */
    boolean isWorn(int openCount) {
        return lost(openCount) >= receives / 2;
    }

    /** Returns whether also the links that use the queue need another one: three quarters may be lost. */
    boolean isSpent(int openCount) {
        return lost(openCount) >= receives / 4 * 3;
    }
}
