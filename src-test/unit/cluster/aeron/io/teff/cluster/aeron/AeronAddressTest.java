package io.teff.cluster.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: valid addresses are parsed as written, and invalid ones are refused. */
final class AeronAddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"aeron:udp?endpoint=127.0.0.1:7001|stream=1001", "aeron:udp?endpoint=[::1]:0|stream=1",
        "aeron:ipc?stream=5|driver=/dev/shm/some", "aeron:ipc?stream=5|term-length=65536|mtu=8192",
        "aeron:udp?endpoint=localhost:1|stream=2147483647|term-length=16777216|mtu=65504|driver=/x"})
    void right_isWrittenAsItWasRead(String address) throws IOException {
        assertEquals(address, AeronAddress.parse(address).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"aeron:", "aeron:tcp?endpoint=a:1", "aeron:udp", "aeron:udp?", "aeron:udp?stream=1",
        "aeron:udp?endpoint=host", "aeron:udp?endpoint=:1", "aeron:udp?endpoint=host:x",
        "aeron:udp?endpoint=host:65536", "aeron:udp?endpoint=h:1|stream=0",
        "aeron:ipc?endpoint=h:1", "aeron:ipcx", "aeron:ipc?stream=-1",
        "aeron:ipc?stream=1|stream=2", "aeron:ipc?stream=1|", "aeron:ipc?stream=", "aeron:ipc?session-id=1",
        "aeron:ipc?stream=1|term-length=65537", "aeron:ipc?stream=1|term-length=33554432",
        "aeron:ipc?stream=1|mtu=1500", "aeron:ipc?stream=1|term-length=65536|mtu=8224", "aeron:ipc?stream=1|driver="})
    void wrong_isRefused(String address) {
        assertThrows(IOException.class, () -> AeronAddress.parse(address));
    }

    @Test
    void names_areLookedUpOnlyWhereAllowed() throws IOException {
        final AeronAddress named = AeronAddress.parse("aeron:udp?endpoint=[name]:7|stream=3");
        assertTrue(named.isNamed());
        assertFalse(named.isLocal());
        assertTrue(assertThrows(IOException.class, named::numbered).getMessage().contains("unknown host of"));
        assertTrue(AeronAddress.parse("aeron:udp?endpoint=localhost:1").isLocal());
        assertEquals(AeronAddress.parse("aeron:udp?endpoint=[2001:db8:0:0:0:0:0:1]:7|stream=3"),
            named.numbered(InetAddress.ofLiteral("2001:db8::1")));
        assertFalse(AeronAddress.parse("aeron:udp?endpoint=localhost:1").isNamed());
        assertTrue(AeronAddress.parse("aeron:udp?endpoint=localhost:1").numbered().isLocal());
        for (String host : new String[] {"127.0.0.1", "[::1]", "0.0.0.0"}) {
            final AeronAddress numbered = AeronAddress.parse("aeron:udp?endpoint=" + host + ":1");
            assertFalse(numbered.isNamed());
            assertEquals(numbered, numbered.numbered());
        }
        assertFalse(AeronAddress.parse("aeron:ipc").isNamed());
    }

    @Test
    void isLocal_whatOthersCannotReach() throws IOException {
        assertTrue(AeronAddress.parse("aeron:ipc").isLocal());
        assertTrue(AeronAddress.parse("aeron:udp?endpoint=127.0.0.1:1").isLocal());
        assertTrue(AeronAddress.parse("aeron:udp?endpoint=[::1]:1").isLocal());
        assertFalse(AeronAddress.parse("aeron:udp?endpoint=0.0.0.0:1").isLocal());
        assertEquals("127.0.0.1", AeronAddress.parse("aeron:udp?endpoint=127.0.0.1:1").answering().host());
        assertEquals("0.0.0.0", AeronAddress.parse("aeron:udp?endpoint=192.0.2.1:1").answering().host());
        assertEquals("[::]", AeronAddress.parse("aeron:udp?endpoint=[2001:db8::1]:1").answering().host());
    }
}
