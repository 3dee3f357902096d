package io.teff.rdma.transport.verbs;

/**
 * An estimate of the lost receives of a shared queue.
 *
 * <p>When a queue pair ends in the middle of a message, a device may lose the receive of the message: the receive is
 * neither in the queue nor completes. Each queue pair holds at most a single receive, and no call names the receive.
 *
 * <p>The estimate never falls below the losses, if the device takes receives in the order of posting. A mark divides
 * the receives by the moment of posting. The first completion of a receive behind the mark shows that the queue has no
 * receive from before the mark. All receives from before the mark have completed, are held, or are lost. So queue pairs
 * that ended before the mark are not counted any more, because the lost receives are known. Each queue pair that ended
 * since the mark counts as a loss. The mark then moves to the last posted receive.
 *
 * <pre>
 *   ----- posted before the mark -----|mark|------ posted since ------&gt;
 *     known: held or lost                     carried, ended: queue pairs
 * </pre>
 *
 * <p>The estimate decides about the moment of a new queue, and not about the reuse of memory: a device with a different
 * order costs a queue too early, or too late. Constant time, no allocation.
 */
final class Wear {
    /** Divisor: at most this share of the receives may be held by open queue pairs without counting as lost. */
    private static final int HELD_SHARE = 8;

    private final int receives;
    /** Number of each buffer's receive in the order of posting. */
    private final long[] numbers;
    private long posted;
    private int outstanding;
    private long mark;
    /** Outstanding receives from before the mark. */
    private int below;
    /** Held or lost receives when the last mark was passed. */
    private int known;
    /** Queue pairs that ended between the last two marks. */
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

    /** Counts an ended queue pair with a receive that may be lost. */
    void ended() {
        ended++;
    }

    /** Returns the estimate for a queue with a number of open queue pairs. */
    int lost(int openCount) {
        return Math.max(0, known - Math.min(openCount, receives / HELD_SHARE)) + carried + ended;
    }

    /** Returns whether new links need a new queue: half of the receives may be lost. */
    boolean isWorn(int openCount) {
        return lost(openCount) >= receives / 2;
    }

    /** Returns whether the links of the queue need a new queue, too: three quarters of the receives may be lost. */
    boolean isSpent(int openCount) {
        return lost(openCount) >= receives / 4 * 3;
    }
}
