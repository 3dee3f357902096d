package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;

/** An agent that goes through its duty cycle, hangs in it, or is suspended with its watcher. */
class PulseTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long LIMIT_NS = 70 * SECOND_NS;

    private final Pulse pulse = new Pulse();
    private final IdleStrategy idle = pulse.observe(NoOpIdleStrategy.INSTANCE);
    private long nowNs = Long.MAX_VALUE - 100 * SECOND_NS;      // it overflows on the way

    /** Looks for some seconds, twice a second; returns after how many seconds the agent was found still, or -1. */
    private int look(int seconds) {
        for (int half = 1; half <= 2 * seconds; half++) {
            nowNs += SECOND_NS / 2;
            if (pulse.isStill(nowNs, LIMIT_NS)) {
                return half / 2;
            }
        }
        return -1;
    }

    @Test
    void agent_thatHangsInACycle_isFoundAfterTheLimit() {
        idle.idle(1);
        assertEquals(71, look(200));
    }

    @Test
    void agent_thatGoesOn_isNeverFound() {
        for (int i = 0; i < 10; i++) {
            idle.idle(i % 2);
            assertEquals(-1, look(60));
            idle.idle();
            assertEquals(-1, look(60));
        }
    }

    @Test
    void agent_ofAProcessThatWasSuspended_getsItsWholeTimeAgain() {
        assertEquals(-1, look(60));
        nowNs += 1_000 * SECOND_NS;
        assertFalse(pulse.isStill(nowNs, LIMIT_NS));
        assertEquals(-1, look(69));
        assertEquals(1, look(10));
        assertTrue(pulse.isStill(nowNs, LIMIT_NS));
    }
}
