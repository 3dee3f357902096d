package io.teff.rdma.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.AddressException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: addresses are read and written as documented, and other texts are refused. */
final class RdmaAddressTest {
    private static final List<String> OPTIONS = List.of("transports", "transport");

    @Test
    void parse_addressWithOptions_hasAllParts() throws IOException {
        final RdmaAddress address = RdmaAddress.parse("ucx", OPTIONS, "ucx:[::1]:7001|transports=posix,tcp");
        assertFalse(address.isNamed());
        assertEquals(7001, address.resolved().getPort());
        assertTrue(address.resolved().getAddress().isLoopbackAddress());
        assertEquals(Map.of("transports", "posix,tcp"), address.options());
        assertEquals("ucx:[0:0:0:0:0:0:0:1]:7001|transports=posix,tcp", address.published(address.resolved()));
    }

    @Test
    void parse_nameOfAHost_staysUnresolved() throws IOException {
        final RdmaAddress address = RdmaAddress.parse("verbs", List.of(), "verbs:node-7.example:9");
        assertTrue(address.isNamed());
        assertEquals("node-7.example", address.target().getHostString());
        assertEquals("verbs:127.0.0.1:9", address.published(address.at(InetAddress.getLoopbackAddress())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ucx:", "ucx:1", "ucx::7", "ucx://127.0.0.1:7", "ucx:127.0.0.1", "ucx:a:b", "ucx:a:-1",
        "ucx:a:65536", "tcp:a:1", "ucx:a:1|", "ucx:a:1|x=1", "ucx:a:1|transports", "ucx:a:1|transports=",
        "ucx:a:1|transports=a|transports=b"})
    void parse_otherText_isRefused(String text) {
        assertThrows(AddressException.class, () -> RdmaAddress.parse("ucx", OPTIONS, text));
    }
}
