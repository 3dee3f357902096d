package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Goal: whatever happens to links and nodes, each message is handled at most once, in the order of its lane, none is
 * missing unless its session was lost, no session is lost unless two nodes could not make a link for long or one has
 * started anew, each request ends once, memory has bounds and comes back, and all audits are right.
 *
 * <p>Method: the same classes as in production, of two to five nodes with one to three agents each, driven by one
 * thread in virtual time; what happens, and when, follows from a seed. In some histories nothing fails.
 */
final class SimTest {
    private static final int SEEDS = Integer.getInteger("seeds", Boolean.getBoolean("teff.long") ? 10_000 : 1000);
    private static final int AGAIN = 20;

    @Test
    void histories_ofManySeeds() {
        final Long one = Long.getLong("seed");
        long received = 0;
        long rested = 0;
        long late = 0;
        long disturbed = 0;
        long oneWays = 0;
        for (long seed = one == null ? 1 : one; seed <= (one == null ? SEEDS : one); seed++) {
            final SimRun run = new SimRun(seed, new Plant());
            run.run();
            received += run.received;
            rested += run.rested;
            late += run.late;
            disturbed += run.disturbed;
            oneWays += run.oneWays;
        }
        System.out.println("SimTest: " + SEEDS + " seeds, " + received + " messages, " + rested
            + " links closed to rest, " + late + " sessions lost in time, " + disturbed
            + " writes lost, repeated, changed or overtaken, " + oneWays + " cuts in one direction");
        assertTrue(received > 0);
        assertTrue(one != null || disturbed >= SEEDS / 10, "only " + disturbed + " writes were disturbed");
        assertTrue(one != null || oneWays >= SEEDS / 10, "only " + oneWays + " cuts were in one direction");
        assertTrue(one != null || rested >= SEEDS / 10, "only " + rested + " links have rested");
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
