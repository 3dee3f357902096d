package io.teff.cluster.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Goal: one request of 64 is measured, until its answer, and the others pass untouched. */
final class RequestTimesTest {
    private final AtomicLong nowNs = new AtomicLong();
    private final RequestTimes times = new RequestTimes(nowNs::get);
    private final Scratch scratch = new Scratch();

    /** Drops the answer. */
    private static final class Nowhere implements Reply {
        @Override
        public void answer(MemorySegment memory, int length) {}

        @Override
        public void fail(String why) {}
    }

    private NodeFigures figures() {
        NodeFigures.Builder to = new NodeFigures.Builder();
        times.read(to);
        return to.build(1);
    }

    /** Measures a request of a duration, and passes 63 others. */
    private void request(long ns) {
        Reply way = times.of(scratch, new Nowhere());
        nowNs.addAndGet(ns);
        way.answer(MemorySegment.NULL, 0);
        for (int i = 1; i < RequestTimes.EACH; i++) {
            Reply reply = new Nowhere();
            assertSame(reply, times.of(scratch, reply));
        }
    }

    @Test
    void times_areCountedByTheirBounds() {
        for (long us : new long[] {50, 100, 900, 5_000, 50_000, 500_000, 5_000_000}) {
            request(TimeUnit.MICROSECONDS.toNanos(us));
        }
        NodeFigures figures = figures();
        assertEquals(7 * RequestTimes.EACH, figures.get(Figure.OPERATIONS));
        assertEquals(7, figures.get(Figure.OPERATIONS_TIMED));
        assertEquals(2, figures.get(Figure.OPERATIONS_100US));
        assertEquals(3, figures.get(Figure.OPERATIONS_1MS));
        assertEquals(4, figures.get(Figure.OPERATIONS_10MS));
        assertEquals(5, figures.get(Figure.OPERATIONS_100MS));
        assertEquals(6, figures.get(Figure.OPERATIONS_1S));
        assertEquals(5_556_050_000L, figures.get(Figure.OPERATIONS_TIME));
    }

    @Test
    void failedRequest_isCounted_andNotMeasured() {
        times.of(scratch, new Nowhere()).fail("no zone");
        assertEquals(RequestTimes.EACH, figures().get(Figure.OPERATIONS));
        assertEquals(0, figures().get(Figure.OPERATIONS_TIMED));
    }
}
