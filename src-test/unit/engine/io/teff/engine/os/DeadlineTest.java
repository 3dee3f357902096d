package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Budgets of time, by a clock of the test. */
class DeadlineTest {
    private static final long MS = 1_000_000;

    private long nowNs = Long.MAX_VALUE - 5;                    // the clock overflows soon
    private final Clock clock = () -> nowNs;

    @Test
    void leftNs_fallsToZero_andStaysThere() {
        Deadline limit = Deadline.in(clock, 10 * MS);
        assertEquals(10 * MS, limit.leftNs());
        nowNs += 9 * MS;
        assertEquals(MS, limit.leftNs());
        assertFalse(limit.isOver());
        nowNs += MS;
        assertTrue(limit.isOver());
        nowNs += 3_600_000 * MS;
        assertEquals(0, limit.leftNs());
        assertEquals("10 ms", limit.toString(), "the text has the whole budget");
    }

    @Test
    void budget_outOfRange_isCut() {
        assertTrue(Deadline.in(clock, -1).isOver());
        assertEquals("0 ms", Deadline.in(clock, Long.MIN_VALUE).toString());
        Deadline endless = Deadline.in(clock, Long.MAX_VALUE);
        nowNs += 3_600_000 * MS;
        assertFalse(endless.isOver());
        assertTrue(endless.leftNs() > 0);
    }

    @Test
    void part_neverEndsAfterTheWhole() {
        Deadline limit = Deadline.in(clock, 10 * MS);
        nowNs += 6 * MS;
        assertEquals(4 * MS, limit.part(7 * MS).leftNs());
        assertEquals(2 * MS, limit.part(2 * MS).leftNs());
        assertEquals(0, limit.part(-1).leftNs());
    }

    /** Random waits, each as long as its share or shorter: the sum is the budget at most. */
    @Test
    void sharesOfWaits_endWithTheBudget() {
        for (long seed = 0; seed < 1_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long budgetNs = random.nextLong(1_000 * MS);
            Deadline limit = Deadline.in(clock, budgetNs);
            long beganNs = nowNs;
            int waits = random.nextInt(1, 10);
            long mostNs = random.nextLong(1, 500 * MS);
            for (int i = 0; i < waits; i++) {
                long ns = limit.shareNs(waits - i, mostNs);
                assertTrue(ns >= 0 && ns <= mostNs, "reproduce: seed " + seed);
                nowNs += random.nextBoolean() ? ns : random.nextLong(ns + 1);
            }
            assertTrue(nowNs - beganNs <= budgetNs, "reproduce: seed " + seed);
        }
    }
}
