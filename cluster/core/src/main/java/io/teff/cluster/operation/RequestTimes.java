package io.teff.cluster.operation;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.engine.os.Clock;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts requests, and measures one request of 64 from the arrival to the answer: a change is answered when backups
 * have the change. A request that is not measured costs an increment of a field of its thread. Thread-safe.
 */
public final class RequestTimes {
    /** One request of this number is measured. */
    static final int EACH = 64;
    private static final long[] BOUNDS_NS = {TimeUnit.MICROSECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(1),
        TimeUnit.MILLISECONDS.toNanos(10), TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.SECONDS.toNanos(1)};
    private static final Figure[] BOUNDS = {Figure.OPERATIONS_100US, Figure.OPERATIONS_1MS, Figure.OPERATIONS_10MS,
        Figure.OPERATIONS_100MS, Figure.OPERATIONS_1S};

    private final Clock clock;
    private final LongAdder begun = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder ns = new LongAdder();
    private final LongAdder[] within = new LongAdder[BOUNDS.length];

    /** The way back of a measured request. */
    private final class TimedReply implements Reply {
        private final Reply to;
        private final long fromNs = clock.nowNs();

        TimedReply(Reply to) {
            this.to = to;
        }

        @Override
        public void answer(MemorySegment memory, int length) {
            to.answer(memory, length);
            ended(clock.nowNs() - fromNs);
        }

        @Override
        public void fail(String why) {
            to.fail(why);
        }
    }

    /**
     * Makes a count.
     *
     * @param clock measures
     */
    public RequestTimes(Clock clock) {
        this.clock = clock;
        for (int i = 0; i < within.length; i++) {
            within[i] = new LongAdder();
        }
    }

    /** Returns the way back for a request of the calling thread. */
    Reply of(Scratch scratch, Reply reply) {
        return scratch.isDue(EACH) ? timed(reply) : reply;
    }

    private Reply timed(Reply reply) {
        begun.increment();
        return new TimedReply(reply);
    }

    private void ended(long tookNs) {
        ns.add(tookNs);
        for (int i = 0; i < BOUNDS_NS.length; i++) {
            if (tookNs <= BOUNDS_NS[i]) {
                within[i].increment();
            }
        }
        answered.increment();
    }

    /**
     * Adds the counts.
     *
     * @param to receives the figures
     */
    public void read(NodeFigures.Builder to) {
        final long all = answered.sum();
        to.set(Figure.OPERATIONS, begun.sum() * EACH).set(Figure.OPERATIONS_TIMED, all)
            .set(Figure.OPERATIONS_TIME, ns.sum());
        for (int i = 0; i < BOUNDS.length; i++) {
            to.set(BOUNDS[i], Math.min(within[i].sum(), all));  // requests end meanwhile
        }
    }
}
