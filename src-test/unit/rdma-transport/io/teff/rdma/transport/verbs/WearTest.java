package io.teff.rdma.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Seed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: no loss of receives stays unnoticed, and ends of links without a loss are forgotten with the traffic of others.
 *
 * <p>Method: a model of a device whose queue pairs take receives in order, complete them in any order among each
 * other, and lose those that they hold when they end; random steps.
 */
final class WearTest {
    private static final int RECEIVES = 64;
    private static final int HELD = RECEIVES / 8;
    private static final int STEPS = 20_000;
    private static final int RUNS = 30;
    private static final int NONE = -1;

    private final Wear wear = new Wear(RECEIVES);
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();
    /** What each open queue pair holds. */
    private final List<Integer> pairs = new ArrayList<>();
    private int lost;

    WearTest() {
        for (int i = 0; i < RECEIVES; i++) {
            post(i);
        }
    }

    private void post(int buffer) {
        wear.posted(buffer);
        queue.add(buffer);
    }

    private void begin(int pair) {
        if (pairs.get(pair) == NONE && !queue.isEmpty()) {
            pairs.set(pair, queue.remove());
        }
    }

    private void complete(int pair) {
        final int buffer = pairs.set(pair, NONE);
        if (buffer != NONE) {
            wear.completed(buffer);
            post(buffer);
        }
    }

    private void end(int pair) {
        lost += pairs.remove(pair) == NONE ? 0 : 1;
        wear.ended();
    }

    private void traffic(int pair, int messages) {
        for (int i = 0; i < messages; i++) {
            begin(pair);
            complete(pair);
        }
    }

    private static void run(long seed) {
        final WearTest model = new WearTest();
        final SplittableRandom random = new SplittableRandom(seed);
        final int endings = random.nextInt(1, 500);
        for (int step = 0; step < STEPS && model.lost < RECEIVES; step++) {
            if (model.pairs.size() < 2 || random.nextInt(endings) == 0) {
                model.pairs.add(NONE);
            }
            final int pair = random.nextInt(model.pairs.size());
            if (random.nextInt(endings) == 0) {
                model.end(pair);
            } else if (random.nextBoolean()) {
                model.begin(pair);
            } else {
                model.complete(pair);
            }
            final int open = model.pairs.size();
            assertTrue(model.wear.lost(open) + Math.min(open, HELD) >= model.lost,
                () -> "lost " + model.lost + ": reproduce: -Dseed=" + seed);
        }
    }

    @Test
    void estimate_isNeverBelowTheLosses() {
        final long first = Seed.first();
        for (long seed = first; seed < first + RUNS; seed++) {
            run(seed);
        }
    }

    /** Without any traffic each end counts, so that links that wait for a receive are not forgotten. */
    @Test
    void losses_withoutTraffic_wearAndSpendTheQueue() {
        for (int i = 0; i < RECEIVES / 2; i++) {
            assertFalse(wear.isWorn(0));
            pairs.add(NONE);
            begin(0);
            end(0);
        }
        assertTrue(wear.isWorn(0));
        for (int i = 0; i < RECEIVES / 4; i++) {
            assertFalse(wear.isSpent(0));
            pairs.add(NONE);
            begin(0);
            end(0);
        }
        assertTrue(wear.isSpent(0));
        assertEquals(RECEIVES / 4, queue.size());
    }

    @Test
    void losses_duringTraffic_areCountedOnce() {
        pairs.add(NONE);
        for (int i = 1; i <= RECEIVES / 2; i++) {
            pairs.add(NONE);
            begin(1);
            end(1);
            traffic(0, 3 * RECEIVES);
            assertEquals(i, wear.lost(0));
        }
        assertTrue(wear.isWorn(0));
    }

    @Test
    void endsWithoutLosses_areForgottenWithTraffic() {
        pairs.add(NONE);
        for (int i = 0; i < 10 * RECEIVES; i++) {
            pairs.add(NONE);
            traffic(1, 1);
            end(1);
            traffic(0, RECEIVES / 4);
            assertFalse(wear.isWorn(1));
        }
        traffic(0, 3 * RECEIVES);
        assertEquals(0, wear.lost(0));
    }

    /** Messages that many links have begun do not count, up to a share of the receives. */
    @Test
    void receivesThatAreHeld_areNotLost() {
        pairs.add(NONE);
        for (int i = 1; i <= HELD; i++) {
            pairs.add(NONE);
            begin(i);
        }
        traffic(0, 3 * RECEIVES);
        assertEquals(0, wear.lost(pairs.size()));
    }
}
