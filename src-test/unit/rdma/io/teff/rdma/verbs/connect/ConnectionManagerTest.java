package io.teff.rdma.verbs.connect;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaUnavailableException;
import org.junit.jupiter.api.Test;

/** The manager without a library or a device, and the settings of connections. */
final class ConnectionManagerTest {
    @Test
    void manager_withoutItsLibrary_saysWhatToInstall() {
        if (!ConnectionManager.isAvailable()) {
            RdmaUnavailableException failure = assertThrows(RdmaUnavailableException.class, ConnectionManager::open);
            assertTrue(failure.getMessage().contains("apt-get install librdmacm1"), failure.getMessage());
        }
    }

    @Test
    void settings_outOfRange_areRefused() {
        ConnectionSettings connection = ConnectionSettings.standard();
        assertThrows(IllegalArgumentException.class, () -> connection.withPrivateData(new byte[256]));
        assertThrows(IllegalArgumentException.class, () -> connection.withRetries(8, 0));
    }
}
