package io.teff.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a console may have. */
final class ConsoleConfigTest {
    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:7480", "http://localhost:7480", "http://[::1]:7480",
        "HTTP://LOCALHOST:1"})
    void loopback_needsNoTls(String address) {
        assertNull(ConsoleAddress.fault(address, false));
    }

    @Test
    void otherHosts_needTls() {
        assertEquals("https needs cluster.tls-key", ConsoleAddress.fault("https://node-1:7480", false));
        assertNull(ConsoleAddress.fault("https://node-1:7480", true));
        assertEquals("other machines reach node-1, so https is needed",
            ConsoleAddress.fault("http://node-1:7480", true));
        assertNotNull(ConsoleAddress.fault("http://127.0.0.1.evil.example:7480", false));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '|', value = {
        "https://0.0.0.0:1, |browsers need the name of one host, and 0.0.0.0 is none|",
        "ftp://node-1:1, 'ftp' is neither https nor http", "node-1:7480, 'node-1:7480' is no address of this form",
        "https://node-1, 'https://node-1' is no address of this form",
        "https://node-1:0, 'https://node-1:0' is no address of this form",
        "https://node-1:99999, 'https://node-1:99999' is no address of this form",
        "https://node-1:1/path, 'https://node-1:1/path' is no address of this form",
        "https://a@node-1:1, 'https://a@node-1:1' is no address of this form",
        "https://node 1:1, 'https://node 1:1' is no address"})
    void wrongAddress_isNamed(String address, String fault) {
        assertEquals(fault, ConsoleAddress.fault(address, true));
    }
}
