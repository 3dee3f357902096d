package io.teff.rdma.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.verbs.connect.ConnectionManager;
import io.teff.rdma.verbs.connect.ConnectionSettings;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionStatus;
import io.teff.rdma.verbs.queue.ConnectSettings;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairState;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    void manager_withoutItsLibrary_saysWhatToInstall() {
        if (!ConnectionManager.isAvailable()) {
            RdmaUnavailableException failure = assertThrows(RdmaUnavailableException.class, ConnectionManager::open);
            assertTrue(failure.getMessage().contains("apt-get install librdmacm1"), failure.getMessage());
        }
    }

    @Test
    void moves_ofQueuePairs_areThoseOfTheDrawing() {
        StringBuilder moves = new StringBuilder();
        for (QueuePairState from : QueuePairState.values()) {
            for (QueuePairState to : QueuePairState.values()) {
                if (from.mayMoveTo(to) && to != QueuePairState.ERR && to != QueuePairState.RESET) {
                    moves.append(from).append('>').append(to).append(' ');
                }
            }
            assertTrue(from.mayMoveTo(QueuePairState.ERR) && from.mayMoveTo(QueuePairState.RESET));
        }
        assertEquals("RESET>INIT INIT>INIT INIT>RTR RTR>RTS RTS>RTS RTS>SQD SQD>RTS SQD>SQD SQE>RTS ",
            moves.toString());
    }

    @ParameterizedTest
    @EnumSource(CompletionStatus.class)
    void status_ofItsCode_isItself(CompletionStatus status) {
        assertEquals(status, CompletionStatus.of(status.code()));
    }

    @Test
    void codes_thatAreUnknown_areValues() {
        assertEquals(CompletionStatus.UNKNOWN, CompletionStatus.of(99));
        assertEquals(CompletionOperation.UNKNOWN, CompletionOperation.of(77));
        assertEquals(AsyncEventType.UNKNOWN, AsyncEventType.of(99));
        assertEquals(QueuePairState.UNKNOWN, QueuePairState.of(-3));
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
    void settings_outOfRange_areRefused() {
        QueuePairSettings settings = QueuePairSettings.of(QueuePairType.RC);
        assertThrows(IllegalArgumentException.class, () -> settings.withRequests(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> QueuePairSettings.of(QueuePairType.UNKNOWN));
        ConnectSettings connect = ConnectSettings.of(PathMtu.MTU_1024);
        assertThrows(IllegalArgumentException.class, () -> connect.withRetries(32, 7, 7));
        assertThrows(IllegalArgumentException.class, () -> connect.withRetries(14, 8, 7));
        ConnectionSettings connection = ConnectionSettings.standard();
        assertThrows(IllegalArgumentException.class, () -> connection.withPrivateData(new byte[256]));
        assertThrows(IllegalArgumentException.class, () -> connection.withRetries(8, 0));
        Gid gid = new Gid(0, 1);
        assertThrows(IllegalArgumentException.class, () -> PathAddress.of(gid, 0, 0));
        assertThrows(IllegalArgumentException.class,
            () -> new QueuePairAddress(1, 1 << 24, 0, gid, PathMtu.MTU_256));
    }
}
