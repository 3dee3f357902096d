package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.AtomicCapability;
import io.teff.rdma.verbs.device.DeviceAttributes;
import io.teff.rdma.verbs.device.Gid;
import io.teff.rdma.verbs.device.GidEntry;
import io.teff.rdma.verbs.device.LinkLayer;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.device.PortAttributes;
import io.teff.rdma.verbs.device.PortState;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.device.RdmaDevice;
import io.teff.rdma.verbs.device.TransportType;
import io.teff.rdma.verbs.device.Verbs;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Devices, ports, addresses, and memory regions of all kinds. */
final class DeviceInGuest {
    private static final int EINVAL = 22;

    @Test
    void devices_ofTheGuest_areBothEndsOfTheCable() {
        List<RdmaDevice> devices = Verbs.devices();
        assertTrue(devices.stream().map(RdmaDevice::name).toList().containsAll(List.of(Guest.left(), Guest.right())));
        assertTrue(devices.stream().allMatch(device -> device.guid() != 0 && device.transport() == TransportType.IB));
    }

    @Test
    void attributes_ofADevice_areLimitsThatMakeSense() {
        try (RdmaContext context = Guest.open(Guest.left())) {
            DeviceAttributes attributes = context.attributes();
            assertEquals(1, attributes.portCount());
            assertEquals(AtomicCapability.HCA, attributes.atomics());
            assertTrue(attributes.queuePairsMax() > 100 && attributes.requestsMax() > 100
                && attributes.completionsMax() > 100 && attributes.sharedRequestsMax() > 100
                && attributes.readsMax() > 0 && attributes.regionBytesMax() > 1L << 30, attributes::toString);
            assertEquals(Guest.left(), context.deviceName());
            assertTrue(context.vectorCount() >= 1);
        }
    }

    /** perftest converts its figures by the frequency that it finds there, and prints {@code inf} without one. */
    @Test
    void processor_ofTheGuest_hasAFrequency() throws IOException {
        assertTrue(Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .anyMatch(line -> line.matches("cpu MHz\\s*: [0-9.]+")));
    }

    @Test
    void port_ofADevice_isActive() {
        try (RdmaContext context = Guest.open(Guest.left())) {
            PortAttributes port = context.port(Guest.PORT);
            assertEquals(PortState.ACTIVE, port.state());
            assertEquals(LinkLayer.ETHERNET, port.linkLayer());
            assertEquals(PathMtu.MTU_4096, port.mtu());
            assertTrue(port.gidCount() > 1 && port.messageBytesMax() > 1 << 20, port::toString);
        }
    }

    @Test
    void gids_ofADevice_haveItsIpAddress() throws UnknownHostException {
        try (RdmaContext context = Guest.open(Guest.left())) {
            GidEntry entry = Guest.address(context);
            assertEquals(Gid.of(InetAddress.getByName(Guest.leftAddress())), entry.gid());
            assertEquals(entry.gid(), context.gid(Guest.PORT, entry.index()));
            assertEquals(Guest.PORT, entry.port());
        }
    }

    @Test
    void port_thatDoesNotExist_isAnErrorWithItsName() {
        try (RdmaContext context = Guest.open(Guest.left())) {
            RdmaException failure = assertThrows(RdmaException.class, () -> context.port(9));
            assertEquals(EINVAL, failure.errno());
            assertTrue(failure.getMessage().contains("EINVAL"), failure.getMessage());
            assertThrows(IllegalArgumentException.class, () -> context.port(0));
            assertThrows(RdmaException.class, () -> context.gid(Guest.PORT, 100_000));
        }
    }

    @Test
    void event_withoutOne_isNullAfterTheTime() {
        try (RdmaContext context = Guest.open(Guest.left())) {
            assertNull(context.awaitEvent(0));
            assertNull(context.awaitEvent(Guest.MOMENT_NS));
            assertTrue(context.eventDescriptor() > 2);
        }
    }

    @Test
    void register_ofAllKindsOfMemory_worksOrIsRefused() {
        try (RdmaContext context = Guest.open(Guest.left()); Arena arena = Arena.ofConfined()) {
            ProtectionDomain domain = context.allocateDomain();
            MemorySegment memory = arena.allocate(100_000, 8);
            try (MemoryRegion plain = domain.register(memory.asSlice(3, 5000), Access.LOCAL_WRITE);
                    MemoryRegion relaxed = domain.register(memory, Access.LOCAL_WRITE, Access.REMOTE_READ,
                        Access.RELAXED_ORDERING);
                    MemoryRegion readable = domain.register(memory.asReadOnly(), Access.REMOTE_READ)) {
                assertEquals(memory.address() + 3, plain.address());
                assertEquals(5000, plain.byteSize());
                assertTrue(relaxed.remoteKey() != plain.remoteKey() && readable.localKey() != plain.localKey());
            }
            assertThrows(IllegalArgumentException.class, () -> domain.register(MemorySegment.ofArray(new byte[8])));
            assertThrows(IllegalArgumentException.class,
                () -> domain.register(memory.asReadOnly(), Access.LOCAL_WRITE));
            // The verbs demand the local right beside the one of peers.
            RdmaException failure = assertThrows(RdmaException.class,
                () -> domain.register(memory, Access.REMOTE_WRITE));
            assertEquals("EINVAL", failure.errnoName());
        }
    }

    @Test
    void close_ofTheContext_closesAllThatWasMadeOfIt() {
        int before = Verbs.openObjects().size();
        Link link = Link.of(QueuePairType.RC);
        assertTrue(Verbs.openObjects().size() >= before + 12);
        assertTrue(Verbs.openObjects().getLast().contains("Side"), () -> Verbs.openObjects().getLast());
        link.left.close();
        assertFalse(link.left.pair.isOpen() || link.left.region.isOpen() || link.left.queue.isOpen());
        link.close();
        assertEquals(before, Verbs.openObjects().size());
    }
}
