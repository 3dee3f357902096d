package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Goal: the judge of counters accepts increments that were made exactly once, and no others. Method: small histories.
 */
final class CounterHistoryTest {
    private final CounterHistory counter = new CounterHistory("counter", 1);

    @Test
    void increments_overlapping_inEitherOrder_areRight() {
        counter.incremented("a", 10, 20, 1);
        counter.incremented("b", 15, 25, 0);
        counter.incremented("a", 30, 40, 2);
        counter.end(3);
        assertEquals("", counter.fault().orElse(""));
    }

    @Test
    void unknownIncrement_madeOrNot_isRight() {
        counter.incremented("a", 10, 20, 0);
        counter.unknown("b", 15);
        counter.end(1);
        assertEquals("", counter.fault().orElse(""));
        counter.end(2);
        assertEquals("", counter.fault().orElse(""));
    }

    @Test
    void unknownIncrement_madeTwice_isFound() {
        counter.incremented("a", 10, 20, 0);
        counter.unknown("b", 15);
        counter.end(3);
        assertFault("ends with 3");
    }

    @Test
    void increment_madeTwice_isFound_byTheEnd_orByTheNextResult() {
        counter.incremented("a", 10, 20, 0);
        counter.end(2);
        assertFault("ends with 2");
        counter.incremented("a", 30, 40, 2);
        counter.end(3);
        assertFault("ends with 3");
    }

    @Test
    void increment_lost_isFound() {
        counter.incremented("a", 10, 20, 0);
        counter.incremented("a", 30, 40, 0);
        assertFault("have returned 0");
    }

    @Test
    void lastIncrement_lost_orCounterLost_isFound() {
        counter.incremented("a", 10, 20, 0);
        counter.end(0);
        assertFault("ends with 0");
        counter.end(-1);
        assertFault("ends with -1");
    }

    @Test
    void increments_againstTheOrderOfTime_areFound() {
        counter.incremented("a", 10, 20, 1);
        counter.incremented("b", 30, 40, 0);
        assertFault("not linearizable");
    }

    private void assertFault(String part) {
        assertTrue(counter.fault().orElse("").contains(part), () -> counter.fault().toString());
    }
}
