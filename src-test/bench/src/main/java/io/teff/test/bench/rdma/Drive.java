package io.teff.test.bench.rdma;

import io.teff.test.bench.load.Crew;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * Drives ends that poll, by one or two threads, through a warm-up and a measurement. Each end belongs to one thread:
 * with one thread, it looks at all ends in turn, which is the only good way on one processor.
 */
final class Drive {
    private static final int DIGITS = 3;
    private static final int BURST = 16;
    private static final int EXTRA = 100;
    private static final long PATIENCE_S = 60;

    private final RdmaPattern pattern;
    private final int threads;
    private final long measureNs;
    private final WireCounters wire;
    private final CyclicBarrier barrier;
    private final End[] ends;
    private final LongAdder operations = new LongAdder();
    private final LongAdder allocatedBytes = new LongAdder();
    private final AtomicInteger busy = new AtomicInteger();
    /** Messages that have arrived without those that have begun, by thread: the sum is 0 when all have arrived. */
    private final AtomicLongArray balances;
    private volatile boolean isOver;
    private Histogram histogram = newHistogram();
    private Used used = Used.now();
    private double wireBytes = Double.NaN;

    Drive(RdmaPattern pattern, int threads, long measureNs, WireCounters wire) {
        this.pattern = pattern;
        this.threads = threads;
        this.measureNs = measureNs;
        this.wire = wire;
        barrier = new CyclicBarrier(threads);
        ends = new End[pattern.ends()];
        balances = new AtomicLongArray(threads);
    }

    private static Histogram newHistogram() {
        return new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
    }

    /** Makes the ends, drives and closes them, and returns the result. */
    Measured run(IntFunction<End> maker) throws Exception {
        try {
            Crew.run(threads, thread -> drive(thread, maker));
        } finally {
            for (End end : ends) {
                if (end != null) {
                    end.close();
                }
            }
        }
        return new Measured(histogram, operations.sum(), used.ns(), used.cpuNs(), allocatedBytes.sum(), wireBytes);
    }

    private void drive(int thread, IntFunction<End> maker) throws Exception {
        for (int i = thread; i < ends.length; i += threads) {
            ends[i] = maker.apply(i);
        }
        meet();
        final List<End> own = new ArrayList<>();
        final List<int[]> targets = new ArrayList<>();
        for (int i = thread; i < ends.length; i += threads) {
            ends[i].connect(ends);
            own.add(ends[i]);
            targets.add(pattern.targets(i));
        }
        meet();
        final End[] mine = own.toArray(End[]::new);
        final int[][] theirs = targets.toArray(int[][]::new);
        phase(thread, mine, theirs, false);
        phase(thread, mine, theirs, true);
        if (thread == 0) {
            busy.set(threads);
        }
        meet();
        for (End end : mine) {
            end.finish();
        }
        settle(thread, mine);
        meet();
    }

    private void meet() throws InterruptedException, BrokenBarrierException, TimeoutException {
        barrier.await(PATIENCE_S, TimeUnit.SECONDS);
    }

    private void phase(int thread, End[] own, int[][] targets, boolean isMeasured) throws Exception {
        if (thread == 0) {
            isOver = false;
            busy.set(threads);
            operations.reset();
            allocatedBytes.reset();
            histogram = newHistogram();
        }
        meet();
        final double wireBefore = wire.bytesSent();             // before the other one: it allocates
        final Used before = Used.now();
        final long allocatedBefore = Used.allocatedHere();
        final long count;
        if (!pattern.isLatency()) {
            count = rate(thread, own, targets);
        } else if (thread == 0) {
            count = pattern == RdmaPattern.PING_PONG ? pingPong(own) : oneSided(own);
            isOver = true;
        } else {
            count = 0;
            serve(own);
        }
        allocatedBytes.add(Used.allocatedHere() - allocatedBefore);
        final Used after = Used.now().since(before);
        operations.add(count);
        settle(thread, own);
        meet();
        if (thread == 0 && isMeasured) {
            used = after;
            wireBytes = wire.bytesSent() - wireBefore;
        }
        meet();
    }

    // ---- latencies, by thread 0 ----

    private long pingPong(End[] own) throws Exception {
        final End near = own[0];
        final End far = threads == 1 ? own[1] : null;
        final long end = System.nanoTime() + measureNs;
        long count = 0;
        long start = System.nanoTime();
        do {
            final long seen = near.arrived();
            begin(near, 1);
            if (far != null) {
                final long farSeen = far.arrived();
                while (far.arrived() == farSeen) {
                    far.poll();
                }
                begin(far, 0);
            }
            while (near.arrived() == seen) {
                near.poll();
            }
            final long now = System.nanoTime();
            histogram.recordValue(Math.min(now - start, histogram.getHighestTrackableValue()));
            count++;
            start = now;
        } while (start - end < 0);
        return count;
    }

    private static void begin(End end, int to) throws Exception {
        while (!end.begin(to)) {
            end.poll();
        }
    }

    private long oneSided(End[] own) throws Exception {
        final End near = own[0];
        final End far = threads == 1 && !own[1].isPassive() ? own[1] : null;
        final long end = System.nanoTime() + measureNs;
        long count = 0;
        long start = System.nanoTime();
        do {
            begin(near, 1);
            while (near.poll() == 0) {
                if (far != null) {
                    far.poll();
                }
            }
            final long now = System.nanoTime();
            histogram.recordValue(Math.min(now - start, histogram.getHighestTrackableValue()));
            count++;
            start = now;
        } while (start - end < 0);
        return count;
    }

    /** Answers messages, and lets operations of peers go on. */
    private void serve(End[] own) throws Exception {
        final boolean isAnswering = pattern == RdmaPattern.PING_PONG;
        long answered = own[0].arrived();
        while (!isOver) {
            own[0].poll();
            if (isAnswering && own[0].arrived() != answered) {
                begin(own[0], 0);
                answered++;
            }
        }
    }

    // ---- rates ----

    private long rate(int thread, End[] own, int[][] targets) throws Exception {
        final boolean isCountedThere = !pattern.isOneSided();
        final long before = arrivals(own);
        final long allBefore = arrivals(ends);
        final long end = System.nanoTime() + measureNs;
        long ended = 0;
        while (!isOver) {
            for (int i = 0; i < own.length; i++) {
                for (int to : targets[i]) {
                    for (int n = 0; n < BURST && own[i].begin(to); n++) {
                        // as many as have room
                    }
                }
                ended += own[i].poll();
            }
            if (thread == 0 && System.nanoTime() - end >= 0) {
                // Not before one has been counted, on a machine where the other thread waits for a processor.
                final boolean isAnyCounted = isCountedThere ? arrivals(ends) > allBefore : ended > 0;
                isOver = isAnyCounted || System.nanoTime() - end >= EXTRA * measureNs;
            }
        }
        return isCountedThere ? arrivals(own) - before : ended;
    }

    private static long arrivals(End[] own) {
        long sum = 0;
        for (End end : own) {
            sum += end.arrived();
        }
        return sum;
    }

    /** Polls until no end has an operation under way, and all messages have arrived. */
    private void settle(int thread, End[] own) throws Exception {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        boolean isCounted = false;
        while (busy.get() > 0) {
            int underWay = 0;
            long balance = 0;
            for (End each : own) {
                each.poll();
                underWay += each.underWay();
                balance += pattern.isOneSided() ? 0 : each.arrived() - each.begun();
            }
            balances.set(thread, balance);
            if (underWay == 0 && !isCounted && sum(balances) == 0) {
                isCounted = true;
                busy.decrementAndGet();
            }
            if (System.nanoTime() - end >= 0) {
                throw new IllegalStateException("operations under way after " + PATIENCE_S + " s: " + underWay);
            }
        }
    }

    private static long sum(AtomicLongArray numbers) {
        long sum = 0;
        for (int i = 0; i < numbers.length(); i++) {
            sum += numbers.get(i);
        }
        return sum;
    }
}
