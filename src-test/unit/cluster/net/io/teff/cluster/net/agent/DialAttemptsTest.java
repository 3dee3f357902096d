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
        dial(attempts, 0);
        assertFalse(attempts.isDue(1));
        assertTrue(attempts.follow(7002, 1));
        assertTrue(attempts.isDue(1), "at once");
        attempts.begin(1, "ucx:127.0.0.1:1", CONFIG);
        dial(attempts, 7002);
        assertFalse(attempts.follow(7003, 2), "a second one in a row");
        assertFalse(attempts.isDue(2), "after the usual pause");
        attempts.begin(CONFIG.redialNs(2) + 1, "ucx:127.0.0.1:1", CONFIG);
        dial(attempts, 0);
        assertTrue(attempts.follow(7004, 3));
    }

    private static void dial(DialAttempts attempts, int port) {
        assertEquals(port, attempts.elsewhere());
        attempts.goneElsewhere();
        assertEquals(0, attempts.elsewhere());
    }
}
