package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Goal: a wait that must not be cut short is none of the interrupt's business, and the interrupt is not lost. */
final class ClockTest {
    private static final int PAUSES = 20;
    private static final long PAUSE_NS = 1_000_000;

    private boolean interruptedInside = true;
    private long parkedNs;

    private final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public long epochMs() {
            return 0;
        }

        @Override
        public void park(Object blocker, long ns) {
            interruptedInside = Thread.currentThread().isInterrupted();
            parkedNs = ns;
        }
    };

    @Test
    void pause_interrupted_waitsAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        clock.pause(this, 7);
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        assertFalse(interruptedInside, "the wait returns at once");
        assertEquals(7, parkedNs);
    }

    /** Setting the flag leaves a permit that would end the next wait, so only waits that follow each other show it. */
    @Test
    void pause_againAndAgain_waitsEachTime() {
        Thread.currentThread().interrupt();
        long start = Clock.SYSTEM.nowNs();
        for (int i = 0; i < PAUSES; i++) {
            Clock.SYSTEM.pause(this, PAUSE_NS);
        }
        assertTrue(Thread.interrupted(), "the interrupt is lost");
        long waitedNs = Clock.SYSTEM.nowNs() - start;
        assertTrue(waitedNs >= PAUSES / 2 * PAUSE_NS, () -> "waited only " + waitedNs + " ns");
    }

    @Test
    void pause_notInterrupted_staysSo() {
        clock.pause(this, 1);
        assertFalse(Thread.interrupted());
    }
}
