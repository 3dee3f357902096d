package io.teff.rdma.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.RdmaUnavailableException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What works on every machine: absence of libraries and devices, and the values of the interface. */
final class VerbsTest {
    @Test
    void devices_onAnyMachine_areAListOrSayWhatToInstall() {
        if (Verbs.isAvailable()) {
            List<RdmaDevice> devices = Verbs.devices();
            assertTrue(devices.stream().noneMatch(device -> device.name().isBlank()), devices::toString);
        } else {
            RdmaUnavailableException failure = assertThrows(RdmaUnavailableException.class, Verbs::devices);
            assertTrue(failure.getMessage().contains("apt-get install libibverbs1"), failure.getMessage());
        }
    }

    @Test
    void open_aDeviceThatIsNotThere_namesIt() {
        RdmaException failure = assertThrows(RdmaException.class,
            () -> new RdmaDevice("absent0", 0, TransportType.IB).open());
        String expected = Verbs.isAvailable() ? "absent0" : "apt-get install libibverbs1";
        assertTrue(failure.getMessage().contains(expected), failure.getMessage());
    }

    @Test
    void codes_thatAreUnknown_areValues() {
        assertEquals(AsyncEventType.UNKNOWN, AsyncEventType.of(99));
        assertEquals(PathMtu.MTU_4096, PathMtu.of(99));
        assertEquals(4096, PathMtu.of(5).bytes());
    }

    @Test
    void gid_ofAnAddress_isReadableAndTurnsIntoBytes() throws UnknownHostException {
        Gid mapped = Gid.of(InetAddress.getByName("10.99.0.1"));
        assertEquals("::ffff:10.99.0.1", mapped.toString());
        assertTrue(mapped.isIpv4());
        assertEquals(mapped, Gid.of(mapped.bytes()));
        Gid local = Gid.of(InetAddress.getByName("fe80::1234"));
        assertEquals("fe80:0:0:0:0:0:0:1234", local.toString());
        assertTrue(new Gid(0, 0).isZero() && !local.isZero() && !local.isIpv4());
        assertThrows(IllegalArgumentException.class, () -> Gid.of(new byte[4]));
    }

    @Test
    void path_outOfRange_isRefused() {
        Gid gid = new Gid(0, 1);
        assertThrows(IllegalArgumentException.class, () -> PathAddress.of(gid, 0, 0));
    }
}
