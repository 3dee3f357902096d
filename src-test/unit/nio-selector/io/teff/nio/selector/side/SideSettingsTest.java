package io.teff.nio.selector.side;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.SideSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of side ports: ranges, secrets, networks. */
final class SideSettingsTest {
    private static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    private static boolean contains(String networks, String address) {
        return SideNetworks.of(networks).contains(InetAddress.ofLiteral(address));
    }

    @Test
    void networks_containTheirAddresses() {
        for (String inside : new String[] {"10.1.2.3", "172.31.0.1", "192.168.9.9", "169.254.1.1",
            "fd00::1", "fe80::1"}) {
            assertTrue(contains("private", inside), inside);
        }
        for (String outside : new String[] {"8.8.8.8", "172.32.0.1", "2001:db8::1", "127.0.0.1", "::1"}) {
            assertFalse(contains("private", outside), outside);
            assertTrue(contains("any", outside), outside);
        }
        assertTrue(contains("10.7.0.0/16, 2001:db8::/33", "10.7.255.1"));
        assertFalse(contains("10.7.0.0/16,2001:db8::/33", "10.8.0.0"));
        assertTrue(contains("10.7.0.0/16,2001:db8::/33", "2001:db8:7fff::1"));
        assertFalse(contains("10.7.0.0/16,2001:db8::/33", "2001:db8:8000::1"));
        assertTrue(contains("8.8.8.8", "8.8.8.8"));
        assertFalse(contains("8.8.8.8", "8.8.8.9"));
        for (String wrong : new String[] {"", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "host", "10.0.0.0/x"}) {
            assertThrows(IllegalArgumentException.class, () -> SideNetworks.of(wrong), wrong);
        }
    }

    @Test
    void settings_outOfRange_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> SideSettings.of(0, 1, SECRET));
        assertThrows(IllegalArgumentException.class, () -> SideSettings.of(2, 1, SECRET));
        assertThrows(IllegalArgumentException.class, () -> SideSettings.of(1, 33, SECRET));
        assertThrows(IllegalArgumentException.class, () -> SideSettings.of(65_535, 65_536, SECRET));
        assertThrows(IllegalArgumentException.class, () -> SideSettings.of(1, 1, new byte[15]));
        assertThrows(IllegalArgumentException.class, () -> SideSettings.of(1, 1, SECRET).withWaitMs(0));
        assertThrows(IllegalStateException.class, () -> SideSettings.OFF.withWaitMs(1));
        assertTrue(SideSettings.of(1, 32, SECRET).isOn());
        assertFalse(SideSettings.of(1, 32, SECRET).toString().contains("0123"));
    }

    @Test
    void secret_ofAFile_isReadWithoutTheEndOfItsLine_andOnlyIfClosed() throws IOException {
        final Path file = Files.createFile(folder.resolve("secret"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, "0123456789abcdef\n");
        assertArrayEquals(SECRET, SideSecret.of(file).read());
        Files.writeString(file, "0123456789abcde\n");
        assertThrows(IOException.class, () -> SideSecret.of(file).read());
        Files.write(file, new byte[SideSecret.BYTES_MAX + 1]);
        assertThrows(IOException.class, () -> SideSecret.of(file).read());
        Files.write(file, SECRET);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertEquals(file + " is open to other users",
            assertThrows(IOException.class, () -> SideSecret.of(file).read()).getMessage());
    }
}
