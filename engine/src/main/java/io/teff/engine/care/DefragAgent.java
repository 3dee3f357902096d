package io.teff.engine.care;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.report.DefragReport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the store dense by itself: defragments in the background when removes have left too much memory unused.
 *
 * <p><b>Slack</b> is what the store holds and neither chunks nor table need: free slots, free units, page headers. The
 * threads that remove look at it now and then, every 64 KiB or so that they free. Above the <em>start</em> line one of
 * them starts the agent, which makes passes until the slack is below the line again, and ends: a store from which
 * nothing is removed has no thread. The agent keeps to its share of one processor at first; with the slack its share
 * rises, up to the whole processor in the middle to the <em>hard</em> line. Above that, those who remove wait a little
 * at each look, the longer the more the slack is, at most a millisecond, so that memory follows the data whatever the
 * load.
 * <pre>
 *  slack  0 ......... start = 3 % of what is needed + 8 MiB ............ hard = 6 % of it + 24 MiB ........
 *         |  nothing  |  the agent's share rises  |  it works without rest  |  ... and removers wait
 * </pre>
 * Moving costs no more than what is gained: a pass empties the sparsest pages into the holes of the others, one move
 * for each slot that becomes free. What a pass could not free (pinned chunks, a few pages of many classes) is no reason
 * for the next one: that starts when the slack has grown again, or ten seconds later.
 */
public final class DefragAgent {
    private static final VarHandle SEEN;
    /** Looks at the slack after so many steps of {@link io.teff.engine.lock.Stripes#removedSteps}. */
    private static final int STEPS_PER_LOOK = 32;
    private static final long START_PERCENT = 3;
    private static final long START_BYTES = 8L << 20;
    private static final long HARD_PERCENT = 6;
    private static final long HARD_BYTES = 24L << 20;
    private static final long REGROWN_PERCENT = 2;
    private static final long REGROWN_BYTES = 4L << 20;
    private static final long RETRY_NS = 10_000_000_000L;
    /** So long it works without a rest: another thread that the system has on the same processor waits for it. */
    private static final long SLICE_NS = 200_000;
    private static final long PARK_NS_MAX = 20_000_000;
    private static final int WAITS_MAX = 4;
    private static final long WAIT_NS = 150_000;
    /** So much above the hard line for one more wait. */
    private static final long WAIT_BYTES = 4L << 20;
    private static final int ALL_PERCENT = 100;

    static {
        try {
            SEEN = MethodHandles.lookup().findVarHandle(DefragAgent.class, "seenSteps", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ChunkSpace space;
    private final Defragmenter defragmenter;
    private final int cpuPercent;
    private final int stepsPerLook;
    private final AtomicBoolean running = new AtomicBoolean();
    /** Steps at the last look; whoever advances it looks. */
    @SuppressWarnings("UnusedVariable")                       // used by its handle
    private volatile int seenSteps;
    /** What the last pass could not free; racy, because it only delays or hastens a pass. */
    private volatile long slackLeft;
    /** When that was. */
    private volatile long passedNs;
    /** When the agent's present slice of work began; its thread only. */
    private long sliceStartNs;

    public DefragAgent(ChunkSpace space, Defragmenter defragmenter) {
        this.space = space;
        this.defragmenter = defragmenter;
        this.cpuPercent = space.config.defragCpuPercent();
        this.stepsPerLook = space.seams.defragSlackBytes() < 0 ? STEPS_PER_LOOK : 1;
    }

    /** Called by threads after each change, outside of all stripes. */
    public void look() {
        int steps = space.stripes.removedSteps();
        int seen = (int) SEEN.getOpaque(this);
        if (steps - seen >= stepsPerLook && cpuPercent > 0 && SEEN.compareAndSet(this, seen, steps)) {
            lookSlow();
        }
    }

    private void lookSlow() {
        long needed = neededBytes();
        long slack = slackBytes(needed);
        if (slack < slackLeft) {
            slackLeft = slack;
        } else if (space.seams.platform().clock().nowNs() - passedNs > RETRY_NS) {
            slackLeft = 0;                                      // what was pinned then may be free now
        }
        if (isTooMuch(slack, needed) && running.compareAndSet(false, true)) {
            start();
        }
        for (int i = 0; i < WAITS_MAX && slack > hardLine(needed) + i * WAIT_BYTES && running.get()
            && !space.isClosing();
             i++) {
            space.seams.platform().clock().pause(this, WAIT_NS);
            needed = neededBytes();
            slack = slackBytes(needed);
        }
    }

    /** A machine without a thread left is no reason to fail a remove that is done: a later look tries again. */
    private void start() {
        boolean started = false;
        try {
            space.seams.platform().threads().start("teff-defrag " + space.config.name(), this::work);
            started = true;
        } catch (OutOfMemoryError e) {
            slackLeft = slackBytes(neededBytes());
        } finally {
            if (!started) {
                running.set(false);
            }
        }
    }

    /** Checks the slack again at the end: a remove at the last moment has not started the agent. */
    private void work() {
        do {
            try {
                passes();
            } finally {
                running.set(false);
            }
        } while (isTooMuchNow() && running.compareAndSet(false, true));
    }

    private boolean isTooMuchNow() {
        long needed = neededBytes();
        return !space.isClosing() && isTooMuch(slackBytes(needed), needed);
    }

    private void passes() {
        try {
            sliceStartNs = space.seams.platform().clock().nowNs();
            long needed = neededBytes();
            long slack = slackBytes(needed);
            while (isTooMuch(slack, needed)) {
                DefragReport report = defragmenter.run(this::rest);
                passedNs = space.seams.platform().clock().nowNs();
                slackLeft = slack - (space.region.reserved() ? report.returnedBytes() : report.freedBytes());
                needed = neededBytes();
                slack = slackBytes(needed);
            }
        } catch (StoreClosedException e) {
            // closed meanwhile: nothing is left to do
        }
    }

    /** Gives the processor back for a while, in the middle of a pass, if the agent's share is used up. */
    private void rest() {
        long busyNs = space.seams.platform().clock().nowNs() - sliceStartNs;
        if (busyNs >= SLICE_NS) {
            int percent = sharePercent();
            space.seams.platform().clock().pause(this,
                Math.min(busyNs * (ALL_PERCENT - percent) / percent, PARK_NS_MAX));
            sliceStartNs = space.seams.platform().clock().nowNs();
        }
    }

    /** What was agreed up to the start line, all of a processor from the middle to the hard line on. */
    private int sharePercent() {
        long needed = neededBytes();
        long start = startLine(needed);
        long above = Math.max(slackBytes(needed) - start, 0);
        long middle = (hardLine(needed) - start) / 2;
        return (int) Math.min(cpuPercent + (ALL_PERCENT - cpuPercent) * above / middle, ALL_PERCENT);
    }

    private boolean isTooMuch(long slack, long needed) {
        long line = space.seams.defragSlackBytes();
        return line >= 0 ? slack > Math.max(line, slackLeft)
            : slack > startLine(needed)
                && slack > slackLeft + Math.min(slackLeft, REGROWN_BYTES + needed / ALL_PERCENT * REGROWN_PERCENT);
    }

    private static long startLine(long needed) {
        return START_BYTES + needed / ALL_PERCENT * START_PERCENT;
    }

    private static long hardLine(long needed) {
        return HARD_BYTES + needed / ALL_PERCENT * HARD_PERCENT;
    }

    private long neededBytes() {
        return space.takenBytes() + space.tables.bytes();
    }

    private long slackBytes(long needed) {
        return (space.region.reserved() ? space.runs.committedBytes() : space.runs.usedBytes()) - needed;
    }
}
