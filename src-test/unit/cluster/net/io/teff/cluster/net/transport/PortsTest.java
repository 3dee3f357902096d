package io.teff.cluster.net.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports in texts of addresses. */
final class PortsTest {
    @Test
    void port_isReadAndReplaced() throws AddressException {
        assertEquals(7001, Ports.of("ucx:10.0.0.1:7001"));
        assertEquals("ucx:10.0.0.1:0", Ports.with("ucx:10.0.0.1:7001", 0));
        assertEquals("ucx:[::1]:65535|transports=posix,tcp", Ports.with("ucx:[::1]:1|transports=posix,tcp", 65_535));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ucx", "ucx:host", "ucx:host:", "ucx:host:65536", "ucx:host:-1", "ucx:host|x=a:7"})
    void otherTexts_haveNone(String address) {
        assertThrows(AddressException.class, () -> Ports.of(address));
        assertThrows(AddressException.class, () -> Ports.with(address, 1));
    }
}
