package io.teff.engine.care;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.report.DefragReport;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Defragments a store in the background when removes have left too much memory unused.
 *
 * <p><b>Slack</b> is the memory that the store holds, but needs neither for chunks nor for the table: free slots, free
 * units, page headers. Threads that remove chunks check the slack after about each 64 KiB of freed bytes. Above the
 * <em>start</em> line one of these threads starts the agent, which makes passes until the slack is below the line
 * again, and then ends: a store without removes has no agent thread. At the start line the agent uses its configured
 * share of one processor. The share rises with the slack, up to a whole processor halfway to the <em>hard</em> line.
 * Above the hard line, threads that resize chunks or change collections wait at each check, longer with more slack but
 * at most a millisecond. Threads that remove chunks never wait: the agent would not become faster, and memory follows
 * when it has caught up. A change that finds no memory makes a pass itself before it is refused.
 * <pre>
 *  slack  0 ......... start = 3 % of what is needed + 8 MiB ............ hard = 6 % of it + 24 MiB ........
 *         |  nothing  |  the agent's share rises  |  it works without rest  |  ... and resizes wait
 * </pre>
 * The cost of a pass is proportional to its gain: a pass empties the sparsest pages into the free slots of other pages,
 * with a single move per freed slot. Slack that a pass could not free (pinned chunks, a few pages of many classes) does
 * not start the next pass. The next pass starts when the slack has grown again, or ten seconds later.
 */
public final class DefragAgent {
    private static final VarHandle CHECKED_STEPS;
    /** Number of steps of {@link io.teff.engine.lock.Stripes#removedSteps} between two checks of the slack. */
    private static final int STEPS_PER_CHECK = 32;
    private static final long START_PERCENT = 3;
    private static final long START_BYTES = 8L << 20;
    private static final long HARD_PERCENT = 6;
    private static final long HARD_BYTES = 24L << 20;
    private static final long REGROWN_PERCENT = 2;
    private static final long REGROWN_BYTES = 4L << 20;
    private static final long RETRY_NS = 10_000_000_000L;
    /** Longest time without a rest, in nanoseconds: another thread on the same processor may have to wait for it. */
    private static final long SLICE_NS = 200_000;
    private static final long PARK_NS_MAX = 20_000_000;
    private static final int WAITS_MAX = 4;
    private static final long WAIT_NS = 150_000;
    /** Each further wait needs this much more slack above the hard line, in bytes. */
    private static final long WAIT_BYTES = 4L << 20;
    private static final int ALL_PERCENT = 100;

    static {
        try {
            CHECKED_STEPS = MethodHandles.lookup().findVarHandle(DefragAgent.class, "checkedSteps", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ChunkSpace space;
    private final Defragmenter defragmenter;
    private final int cpuPercent;
    private final int stepsPerCheck;
    private final AtomicBoolean running = new AtomicBoolean();
    /** Number of steps at the last check; the thread that advances it makes the next check. */
    @SuppressWarnings("UnusedVariable")                       // used by its VarHandle
    private volatile int checkedSteps;
    /** Slack that the last pass could not free, in bytes. Races are harmless: they only delay or hasten a pass. */
    private volatile long slackLeft;
    /** Time of the last pass, in nanoseconds of the clock. */
    private volatile long passedNs;
    /** Start of the agent's current slice of work, in nanoseconds of the clock; used by its thread only. */
    private long sliceStartNs;

    public DefragAgent(ChunkSpace space, Defragmenter defragmenter) {
        this.space = space;
        this.defragmenter = defragmenter;
        this.cpuPercent = space.config.defragCpuPercent();
        this.stepsPerCheck = space.seams.defragSlackBytes() < 0 ? STEPS_PER_CHECK : 1;
    }

    /**
     * Checks the slack if it is due. Called after each change, outside all stripes.
     *
     * @return whether it was due
     */
    public boolean checkSlack() {
        int steps = space.stripes.removedSteps();
        int checked = (int) CHECKED_STEPS.getOpaque(this);
        if (steps - checked >= stepsPerCheck && cpuPercent > 0 && CHECKED_STEPS.compareAndSet(this, checked, steps)) {
            checkSlackSlow();
            return true;
        }
        return false;
    }

    private void checkSlackSlow() {
        long needed = neededBytes();
        long slack = slackBytes(needed);
        if (slack < slackLeft) {
            slackLeft = slack;
        } else if (space.seams.platform().clock().nowNs() - passedNs > RETRY_NS) {
            slackLeft = 0;                                      // chunks pinned then may be free now
        }
        if (isPassDue(slack, needed) && running.compareAndSet(false, true)) {
            start();
        }
    }

    /** Waits while the slack is above the hard line and the agent runs, at most {@value #WAITS_MAX} times. */
    public void awaitLessSlack() {
        long needed = neededBytes();
        long slack = slackBytes(needed);
        for (int i = 0; i < WAITS_MAX && slack > hardLine(needed) + i * WAIT_BYTES && running.get()
            && !space.isClosing();
             i++) {
            space.seams.platform().clock().pause(this, WAIT_NS);
            needed = neededBytes();
            slack = slackBytes(needed);
        }
    }

    /**
     * Makes a pass for a thread that found no memory, if more than the hard line is slack. Called outside all stripes.
     * Slack that the last pass could not free makes no further pass.
     *
     * @return whether there is less slack than before
     */
    public boolean makesRoom() {
        long before = slackAboveLine();
        if (cpuPercent == 0 || before == 0 || space.isClosing()) {
            return false;
        }
        defragmenter.run(() -> { });                            // waits for the agent's pass, if one runs
        passedNs = space.seams.platform().clock().nowNs();
        slackLeft = slackBytes(neededBytes());
        return slackLeft < before;
    }

    /** Returns the slack if it is above the hard line, and more than a pass could not free; else 0. */
    private long slackAboveLine() {
        long needed = neededBytes();
        long slack = slackBytes(needed);
        return slack > Math.max(hardLine(needed), slackLeft) ? slack : 0;
    }

    /**
     * Starts the agent's thread. If the system has no thread left, the remove that is already done must not fail: a
     * later check tries again.
     */
    private void start() {
        boolean started = false;
        try {
            space.seams.platform().threads().start("teff-defrag " + space.config.name(), this::run);
            started = true;
        } catch (OutOfMemoryError e) {
            slackLeft = slackBytes(neededBytes());
        } finally {
            if (!started) {
                running.set(false);
            }
        }
    }

    /**
     * Runs passes while they are due. Checks again after the end, because a remove just before the end found a running
     * agent and did not start another.
     */
    private void run() {
        do {
            try {
                runPasses();
            } finally {
                running.set(false);
            }
        } while (isPassDueNow() && running.compareAndSet(false, true));
    }

    private boolean isPassDueNow() {
        long needed = neededBytes();
        return !space.isClosing() && isPassDue(slackBytes(needed), needed);
    }

    private void runPasses() {
        try {
            sliceStartNs = space.seams.platform().clock().nowNs();
            long needed = neededBytes();
            long slack = slackBytes(needed);
            while (isPassDue(slack, needed)) {
                DefragReport report = defragmenter.run(this::rest);
                passedNs = space.seams.platform().clock().nowNs();
                slackLeft = slack - (space.region.givesBack(RegionLayout.FIRST_BLOCK) ? report.returnedBytes()
                    : report.freedBytes());
                needed = neededBytes();
                slack = slackBytes(needed);
            }
        } catch (StoreClosedException e) {
            // the store was closed: no work is left
        }
    }

    /** Rests in the middle of a pass, if the agent has used up its share of the processor. */
    private void rest() {
        long busyNs = space.seams.platform().clock().nowNs() - sliceStartNs;
        if (busyNs >= SLICE_NS) {
            int percent = sharePercent();
            space.seams.platform().clock().pause(this,
                Math.min(busyNs * (ALL_PERCENT - percent) / percent, PARK_NS_MAX));
            sliceStartNs = space.seams.platform().clock().nowNs();
        }
    }

    /**
     * Returns the agent's share of a processor in percent: the configured one up to the start line, 100 from halfway to
     * the hard line on.
     */
    private int sharePercent() {
        long needed = neededBytes();
        long start = startLine(needed);
        long above = Math.max(slackBytes(needed) - start, 0);
        long middle = (hardLine(needed) - start) / 2;
        return (int) Math.min(cpuPercent + (ALL_PERCENT - cpuPercent) * above / middle, ALL_PERCENT);
    }

    private boolean isPassDue(long slack, long needed) {
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
        return space.runs.heldBytes() - needed;
    }
}
