package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever happens to links and nodes, each message is handled at most once, in the order of its lane, none is
 * missing unless its session was lost, no session is lost unless two nodes could not make a link for long or one has
 * restarted, each request ends once, memory is bounded and released, and all audits pass.
 *
 * <p>Method: the production classes, in two to five nodes with one to three agents each, driven by one thread in
 * virtual time; all events and their times follow from a seed. Some histories have no faults. Histories are
 * independent, so one per processor runs at a time.
 */
final class SimTest {
    private static final int SEEDS = Form.size("seeds", 40, 200, 2_500);
    private static final int AGAIN = Form.size(1, 8, 20);

    @Test
    void histories_ofManySeeds() {
        final Long one = Long.getLong("seed");
        final LongAdder received = new LongAdder();
        final LongAdder rested = new LongAdder();
        final LongAdder late = new LongAdder();
        final LongAdder disturbed = new LongAdder();
        final LongAdder oneWays = new LongAdder();
        LongStream.rangeClosed(one == null ? 1 : one, one == null ? SEEDS : one).parallel().forEach(seed -> {
            final SimRun run = new SimRun(seed, new Plant());
            run.run();
            received.add(run.received);
            rested.add(run.rested);
            late.add(run.late);
            disturbed.add(run.disturbed);
            oneWays.add(run.oneWays);
        });
        System.out.println("SimTest: " + SEEDS + " seeds, " + received + " messages, " + rested
            + " links closed to rest, " + late + " sessions lost in time, " + disturbed
            + " writes lost, repeated, changed or overtaken, " + oneWays + " cuts in one direction");
        assertTrue(received.sum() > 0);
        assertTrue(one != null || disturbed.sum() >= SEEDS / 10, "only " + disturbed + " writes were disturbed");
        assertTrue(one != null || oneWays.sum() >= SEEDS / 10, "only " + oneWays + " cuts were in one direction");
        assertTrue(one != null || rested.sum() >= SEEDS / 10, "only " + rested + " links have rested");
    }

    @Test
    void seedThatIsUsedAgain_isTheSameHistory() {
        for (long seed = 1; seed <= AGAIN; seed++) {
            final SimRun first = new SimRun(seed, new Plant());
            first.run();
            final SimRun second = new SimRun(seed, new Plant());
            second.run();
            assertEquals(first.story(), second.story());
            assertEquals(first.received, second.received);
        }
    }
}
