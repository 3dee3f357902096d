package io.teff.test.rdma.guest;

import io.teff.rdma.verbs.device.GidEntry;
import io.teff.rdma.verbs.device.GidType;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.device.RdmaDevice;
import io.teff.rdma.verbs.device.Verbs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What the guest's environment says about its devices, and commands of the guest. */
final class Guest {
    /** Long enough for each wait that is expected to end, also in the emulator. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);
    /** Long enough to see that nothing comes. */
    static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    static final int PORT = 1;

    private Guest() {}

    private static String variable(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new IllegalStateException("not in the guest: " + name + " is not set");
        }
        return value;
    }

    /** The device at one end of the cable. */
    static String left() {
        return variable("RDMA_VM_DEVICE");
    }

    /** The device at the other end. */
    static String right() {
        return variable("RDMA_VM_DEVICE2");
    }

    static String leftAddress() {
        return variable("RDMA_VM_ADDRESS");
    }

    static String rightAddress() {
        return variable("RDMA_VM_ADDRESS2");
    }

    /** Packets that the left device has received. */
    static long leftPackets() throws IOException {
        Path counters = Path.of("/sys/class/infiniband", left(), "ports", Integer.toString(PORT), "hw_counters");
        Files.writeString(counters.resolve("lifespan"), "0");   // ms that the kernel repeats an old answer
        return Long.parseLong(Files.readString(counters.resolve("rcvd_pkts")).strip());
    }

    static RdmaContext open(String name) {
        return Verbs.devices().stream().filter(device -> device.name().equals(name)).findFirst()
            .map(RdmaDevice::open).orElseThrow();
    }

    /** The entry of the table of addresses that has the device's IPv4 address. */
    static GidEntry address(RdmaContext context) {
        return context.gids().stream().filter(entry -> entry.gid().isIpv4() && entry.type() == GidType.ROCE_V2)
            .findFirst().orElseThrow();
    }

    /** Runs a command of the guest, which must succeed. */
    static void command(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).inheritIO().start();
        if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError(List.of(words) + " has failed");
        }
    }
}
