package io.teff.test.bench.rdma;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.verbs.device.GidEntry;
import io.teff.rdma.verbs.device.GidType;
import io.teff.rdma.verbs.device.PortState;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.device.RdmaDevice;
import io.teff.rdma.verbs.device.Verbs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two devices of a measurement, which may be one.
 *
 * @param left of ends with even numbers
 * @param right of the others
 */
record Devices(Device left, Device right) {
    /** The port of each device that is used. */
    static final int PORT = 1;

    private static final List<String> SOFTWARE = List.of("rxe", "siw");

    /**
     * A device whose port is up.
     *
     * @param name of the device
     * @param gidIndex the entry of its table of addresses that is used
     */
    record Device(String name, int gidIndex) {
        /** Returns whether its name says that it is made of software. */
        boolean isSoftware() {
            return SOFTWARE.stream().anyMatch(name::startsWith);
        }

        RdmaContext open() {
            return Verbs.devices().stream().filter(it -> it.name().equals(name)).findFirst().map(RdmaDevice::open)
                .orElseThrow(() -> new IllegalStateException("there is no device " + name));
        }

        /** Returns the IP address of the network that the device stands on, or that of the machine itself. */
        InetAddress ip() {
            final Path file = WireCounters.SYSTEM.resolve("infiniband").resolve(name)
                .resolve("ports/" + PORT + "/gid_attrs/ndevs/" + gidIndex);
            try {
                final NetworkInterface network = Files.exists(file)
                    ? NetworkInterface.getByName(Files.readString(file).strip()) : null;
                return network == null ? InetAddress.getLoopbackAddress()
                    : network.inetAddresses().filter(it -> it.getAddress().length == Integer.BYTES).findFirst()
                        .orElse(InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the first two devices of this machine whose ports are up, or null if there is none. */
    static @Nullable Devices here() {
        final List<Device> found = new ArrayList<>();
        try {
            for (RdmaDevice device : Verbs.devices()) {
                try (RdmaContext context = device.open()) {
                    if (context.port(PORT).state() == PortState.ACTIVE) {
                        found.add(new Device(device.name(), gidIndex(context)));
                    }
                }
            }
        } catch (RdmaUnavailableException _) {
            return null;                                        // no library, no device
        }
        return found.isEmpty() ? null : new Devices(found.getFirst(), found.get(Math.min(1, found.size() - 1)));
    }

    /** The address that packets in IPv4 have, else the first one. */
    private static int gidIndex(RdmaContext context) {
        final List<GidEntry> all = context.gids().stream().filter(it -> it.port() == PORT).toList();
        return all.stream().filter(it -> it.gid().isIpv4() && it.type() == GidType.ROCE_V2).findFirst()
            .or(() -> all.stream().findFirst()).map(GidEntry::index).orElse(0);
    }

    /** Returns the device of an end. */
    Device of(int end) {
        return end % 2 == 0 ? left : right;
    }

    List<String> names() {
        return List.of(left.name(), right.name());
    }

    /** Returns an address to listen at, of the network of an end's device. */
    InetSocketAddress address(int end) {
        return new InetSocketAddress(of(end).ip(), 0);
    }
}
