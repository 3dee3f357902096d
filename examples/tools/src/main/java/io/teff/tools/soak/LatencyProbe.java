package io.teff.tools.soak;

import io.teff.engine.Store;
import io.teff.tools.load.ChunkContent;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * Measures the latency of gets and puts while the workers are busy. One loop at a fixed rate puts the probe's own
 * chunks, a second one gets chunks of the probe and of the workers, a third one is idle. Delays that all three have are
 * caused by the machine. Each loop has its own thread, so that a put that waits (for a trim, for example) delays no
 * get.
 *
 * <p>The loops run from {@link #begin} to {@link #end}; the other methods are called while they do not run.
 */
final class LatencyProbe {
    /** Number of chunks of the probe. */
    static final int SLOTS = 1 << 10;
    /** Number of loops, each with a thread. */
    static final int LOOPS = 3;

    private final SoakPlan plan;
    private final SoakWorker[] workers;
    private final OwnedChunks set;
    private final SplittableRandom getRandom;
    private final SplittableRandom putRandom;
    private final byte[] buffer;
    private final Timing gets = new Timing();
    private final Timing puts = new Timing();
    private final Timing idles = new Timing();
    private List<RateLoop> loops = List.of();

    LatencyProbe(Store store, SoakPlan plan, SoakWorker[] workers) {
        this.plan = plan;
        this.workers = workers;
        this.set = new OwnedChunks(store, new ChunkContent(plan.seed(), plan.minSize(), plan.maxSize()),
            firstNumber(plan), SLOTS);
        this.getRandom = new SplittableRandom(~plan.seed());
        this.putRandom = new SplittableRandom(-plan.seed());
        this.buffer = new byte[plan.maxSize()];
    }

    /** The latencies of one loop: in this cycle, and in all cycles. */
    private record Timing(Histogram window, Histogram all) {
        Timing() {
            this(RateLoop.histogram(), RateLoop.histogram());
        }

        /** Returns a percentile of this cycle, and adds the cycle to all cycles. */
        long take(double percentile) {
            long ns = window.getValueAtPercentile(percentile);
            all.add(window);
            window.reset();
            return ns;
        }
    }

    /** Returns the number of the probe's first chunk: the probe is the owner after the last worker. */
    static long firstNumber(SoakPlan plan) {
        return (long) plan.threads() << SoakWorker.OWNER_SHIFT;
    }

    // ---- while the loops do not run ----

    /** Creates the probe's chunks. */
    void create() {
        for (int slot = 0; slot < SLOTS; slot++) {
            set.create(slot);
        }
    }

    long chunks() {
        return set.chunks();
    }

    long payloadBytes() {
        return set.payloadBytes();
    }

    /** Verifies the probe's chunks in a store. */
    void verify(Store source) {
        new ChunkBatches(source, set).verifyAll(source);
    }

    /** Returns new loops; the caller runs each on a thread of its own, until {@link #end}. */
    List<Runnable> begin() {
        RateLoop getLoop = new RateLoop(plan.rate(), gets.window());
        RateLoop putLoop = new RateLoop(plan.rate(), puts.window());
        RateLoop idleLoop = new RateLoop(plan.rate(), idles.window());
        loops = List.of(getLoop, putLoop, idleLoop);
        return List.of(() -> getLoop.run(this::get), () -> putLoop.run(this::put), () -> idleLoop.run(() -> {}));
    }

    /** Ends each loop after its current operation. */
    void end() {
        loops.forEach(RateLoop::stop);
    }

    /**
     * The percentiles of one cycle.
     *
     * @param getNs latency of gets in nanoseconds
     * @param putNs latency of puts in nanoseconds
     * @param idleNs latency of the idle loop in nanoseconds
     */
    record Window(long getNs, long putNs, long idleNs) {}

    /** Returns a percentile of the latencies since the last call. */
    Window window(double percentile) {
        return new Window(gets.take(percentile), puts.take(percentile), idles.take(percentile));
    }

    /** {@return latencies of gets in all cycles} */
    Histogram gets() {
        return gets.all();
    }

    /** {@return latencies of puts in all cycles} */
    Histogram puts() {
        return puts.all();
    }

    /** {@return latencies of the idle loop in all cycles} */
    Histogram idles() {
        return idles.all();
    }

    // ---- the operations ----

    private void get() {
        if (getRandom.nextBoolean() || !workers[getRandom.nextInt(workers.length)].glance(getRandom, buffer)) {
            set.glance(getRandom.nextInt(SLOTS), buffer);
        }
    }

    private void put() {
        set.put(putRandom.nextInt(SLOTS));
    }
}
