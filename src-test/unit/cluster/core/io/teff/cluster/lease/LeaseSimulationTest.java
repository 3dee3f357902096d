package io.teff.cluster.lease;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Plays heartbeats, answers, votes, restarts and pauses in random order on clocks of different speeds. A node that a
 * majority has voted against must not hold its lease at that time or later.
 */
class LeaseSimulationTest {
    private static final int SUPERPEERS = 3;
    private static final LeaseTerms TERMS = new LeaseTerms(1_000_000_000L, 10);
    private static final long STEP_NS = 7_000_000L;
    /** A node that is always heard; a superpeer that hears none votes against none. */
    private static final String OTHER = "other";

    @Test
    void expiredNode_holdsNoLease() {
        int expired = 0;
        int held = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            Cluster cluster = new Cluster(seed);
            cluster.run();
            expired += cluster.isExpired ? 1 : 0;
            held += cluster.heldSteps;
        }
        assertTrue(expired > 500 && held > 100_000, expired + " nodes expired, " + held + " steps with a lease");
    }

    /** One node and its superpeers. */
    private static final class Cluster {
        private final int seed;
        private final Random random;
        private final LeaseClock node = LeaseTest.clock(TERMS, SUPERPEERS);
        private final List<Promises<String>> superpeers = new ArrayList<>();
        private final double[] speeds = new double[SUPERPEERS + 1];
        private final boolean[] votes = new boolean[SUPERPEERS];
        private final List<long[]> heartbeats = new ArrayList<>();
        private final List<long[]> answers = new ArrayList<>();
        private long now = 1_000_000_000_000L;
        private boolean isExpired;
        private int heldSteps;

        Cluster(int seed) {
            this.seed = seed;
            random = new Random(seed);
            for (int i = 0; i < SUPERPEERS; i++) {
                superpeers.add(new Promises<>(TERMS));
            }
            for (int i = 0; i < speeds.length; i++) {
                speeds[i] = 1 + (random.nextInt(101) - 50) / 10_000.0;
            }
            for (int i = 0; i < SUPERPEERS; i++) {
                superpeers.get(i).begin(time(i) - 3_000_000_000L);
            }
        }

        private long time(int clock) {
            return (long) (now * speeds[clock]);
        }

        void run() {
            int silence = random.nextInt(4);
            for (int step = 0; step < 600; step++) {
                now += STEP_NS;
                boolean isCut = silence > 0 && step / 150 == silence;
                if (step % 14 == 0) {
                    long number = node.sent(time(SUPERPEERS), now);
                    for (int i = 0; i < SUPERPEERS; i++) {
                        heartbeats.add(new long[] {i, number});
                    }
                }
                deliver(heartbeats, isCut, true);
                deliver(answers, isCut, false);
                vote(isCut && random.nextInt(30) == 0);
                boolean holds = node.check(time(SUPERPEERS), now);
                heldSteps += holds ? 1 : 0;
                assertFalse(holds && isExpired, "the lease is held after the expiry; reproduce: seed " + seed);
            }
        }

        private void deliver(List<long[]> messages, boolean isCut, boolean isHeartbeat) {
            for (int i = messages.size() - 1; i >= 0; i--) {
                long[] message = messages.get(i);
                int fate = random.nextInt(10);
                if (fate < 5) {
                    continue;
                }
                messages.remove(i);
                int superpeer = (int) message[0];
                if (isCut || fate == 9) {
                    continue;
                }
                if (!isHeartbeat) {
                    node.answered(superpeer, message[1]);
                } else if (!isExpired && superpeers.get(superpeer).answer("node", time(superpeer))) {
                    answers.add(message);
                }
            }
        }

        private void vote(boolean isRestarted) {
            if (isExpired) {
                return;
            }
            int count = 0;
            for (int i = 0; i < SUPERPEERS; i++) {
                if (isRestarted && i == 0) {
                    superpeers.set(i, new Promises<>(TERMS));
                    superpeers.get(i).begin(time(i));
                    votes[i] = false;                               // the machine has applied its start
                }
                superpeers.get(i).answer(OTHER, time(i));
                if (!superpeers.get(i).overdue(List.of("node", OTHER), Set.of(), time(i), now).isEmpty()) {
                    votes[i] = true;
                }
                if (votes[i] && random.nextInt(50) == 0) {
                    votes[i] = false;                               // the vote is withdrawn by the cell
                    superpeers.get(i).withdrawn("node", time(i));
                }
                count += votes[i] ? 1 : 0;
            }
            isExpired = count * 2 > SUPERPEERS;
        }
    }
}
