package io.teff.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and the secret of a client. */
class ClientConfigTest {
    private static List<String> superpeers(String... given) {
        return ClientConfig.builder(given).build().superpeers();
    }

    @Test
    void addresses_withoutATransport_areThoseOfTcp() {
        assertEquals(List.of("tcp:127.0.0.1:7400", "tcp:[::1]:7401", "tcp:host.example:7402"),
            superpeers("127.0.0.1:7400", "tcp:[::1]:7401", "host.example:7402"));
        assertEquals(List.of("ucx:host:7400"), superpeers("ucx:host:7400"));
        assertEquals(List.of("loop:a", "loop:7", "aeron:host:7400"),
            superpeers("loop:a", "loop:7", "aeron:host:7400"), "those of other transports are left as they are");
    }

    @Test
    void secretFile_hasTheBytes_withoutTheLineFeed_andIsPrivate(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertEquals("0123456789abcdef",
            new String(ClientConfig.builder("h:1").secret(file).build().secret(), StandardCharsets.US_ASCII));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThrows(IOException.class, () -> ClientConfig.builder("h:1").secret(file));
    }

    /** As a program that reads the file by itself passes them on. */
    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef", "0123456789abcdef\n", "0123456789abcdef\n\n"})
    void secretBytes_areThoseOfTheFile(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        byte[] secret = ClientConfig.builder("h:1").secret(bytes).build().secret();
        assertEquals("0123456789abcdef", new String(secret, StandardCharsets.US_ASCII));
        assertArrayEquals(secret, ClientConfig.builder("h:1").secret(secret).build().secret());
    }

    @Test
    void secret_thatCanBeGuessed_isRefused() {
        for (byte[] secret : new byte[][] {{'\n'}, new byte[15], new byte[16], new byte[4097],
            "0123456789abcde\n".getBytes(StandardCharsets.US_ASCII)}) {
            IllegalArgumentException failure =
                assertThrows(IllegalArgumentException.class, () -> ClientConfig.builder("h:1").secret(secret));
            assertTrue(failure.getMessage().startsWith("the secret has "), failure::getMessage);
        }
        assertEquals(0, ClientConfig.builder("h:1").secret(new byte[0]).build().secret().length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":7400"})
    void text_thatIsNoAddress_isRefused(String text) {
        IllegalArgumentException failure =
            assertThrows(IllegalArgumentException.class, () -> ClientConfig.builder(text));
        assertTrue(failure.getMessage().contains("is no address; allowed: HOST:PORT"), failure::getMessage);
    }
}
