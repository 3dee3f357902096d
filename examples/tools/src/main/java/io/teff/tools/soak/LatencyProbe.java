package io.teff.tools.soak;

import io.teff.engine.Store;
import io.teff.tools.load.ChunkContent;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * Measures how long gets and puts take while the workers are busy: one loop of a fixed rate puts chunks of the probe's
 * own, a second one gets them and the workers', a third one does nothing. What all three show is the machine's doing,
 * not the store's. They run on a thread each, because a put that has to wait (for a trim, say) must not delay a get
 * that need not.
 *
 * <p>The loops run from {@link #begin} to {@link #end}; everything else is called between them.
 */
final class LatencyProbe {
    /** Chunks that the probe owns. */
    static final int SLOTS = 1 << 10;
    /** Threads that the loops need. */
    static final int LOOPS = 3;

    private final SoakPlan plan;
    private final SoakWorker[] workers;
    private final ChunkSet set;
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
        this.set = new ChunkSet(store, new ChunkContent(plan.seed(), plan.minSize(), plan.maxSize()),
            firstNumber(plan), SLOTS);
        this.getRandom = new SplittableRandom(~plan.seed());
        this.putRandom = new SplittableRandom(-plan.seed());
        this.buffer = new byte[plan.maxSize()];
    }

    /** The times of a loop: of this cycle, and of all cycles. */
    private record Timing(Histogram window, Histogram all) {
        Timing() {
            this(RateLoop.histogram(), RateLoop.histogram());
        }

        /** Ends this cycle's times, and says what one percentile of them was. */
        long take(double percentile) {
            long ns = window.getValueAtPercentile(percentile);
            all.add(window);
            window.reset();
            return ns;
        }
    }

    /** The number of the probe's first chunk: an owner behind the workers. */
    static long firstNumber(SoakPlan plan) {
        return (long) plan.threads() << SoakWorker.OWNER_SHIFT;
    }

    // ---- between the measuring ----

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

    /** Verifies the probe's chunks as they are in some store. */
    void verify(Store source) {
        new ChunkBatches(source, set).verifyAll(source);
    }

    /** Prepares the next stretch of measuring; what is returned is to run on a thread each, until the end. */
    List<Runnable> begin() {
        RateLoop getLoop = new RateLoop(plan.rate(), gets.window());
        RateLoop putLoop = new RateLoop(plan.rate(), puts.window());
        RateLoop idleLoop = new RateLoop(plan.rate(), idles.window());
        loops = List.of(getLoop, putLoop, idleLoop);
        return List.of(() -> getLoop.run(this::get), () -> putLoop.run(this::put), () -> idleLoop.run(() -> {}));
    }

    /** Ends the loops soon. */
    void end() {
        loops.forEach(RateLoop::stop);
    }

    /**
     * The percentiles of one cycle.
     *
     * @param getNs of gets
     * @param putNs of puts
     * @param idleNs of nothing
     */
    record Window(long getNs, long putNs, long idleNs) {}

    /** What was measured since the last call. */
    Window window(double percentile) {
        return new Window(gets.take(percentile), puts.take(percentile), idles.take(percentile));
    }

    /** {@return gets of all windows} */
    Histogram gets() {
        return gets.all();
    }

    /** {@return puts of all windows} */
    Histogram puts() {
        return puts.all();
    }

    /** {@return doing nothing, in all windows} */
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
