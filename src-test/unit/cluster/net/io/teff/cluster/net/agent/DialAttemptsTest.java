package io.teff.cluster.net.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.config.NetworkConfig;
import org.junit.jupiter.api.Test;

/** Goal: a node that names another port is dialed there at once, and not in circles. */
final class DialAttemptsTest {
    private static final NetworkConfig CONFIG = NetworkConfig.builder(1).build();

    @Test
    void follow_isOnce_untilAnotherDial() {
        final DialAttempts attempts = new DialAttempts(0);
        attempts.begin(0, "ucx:127.0.0.1:1", CONFIG);
        assertEquals(0, attempts.takeElsewhere());
        assertFalse(attempts.isDue(1));
        assertTrue(attempts.follow(7002, 1));
        assertTrue(attempts.isDue(1), "at once");
        attempts.begin(1, "ucx:127.0.0.1:1", CONFIG);
        assertEquals(7002, attempts.takeElsewhere());
        assertFalse(attempts.follow(7003, 2), "a second one in a row");
        assertFalse(attempts.isDue(2), "after the usual pause");
        attempts.begin(CONFIG.redialNs(2) + 1, "ucx:127.0.0.1:1", CONFIG);
        assertEquals(0, attempts.takeElsewhere(), "the address itself");
        assertTrue(attempts.follow(7004, 3));
    }
}
