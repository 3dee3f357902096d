package io.teff.test.bench.rdma;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Counters of what devices have sent, read from files of the kernel: those of the port where the device counts bytes
 * (in words of 4), else those of the network interface that it stands on, as software devices do.
 */
final class WireCounters {
    /** Where the kernel shows devices. */
    static final Path SYSTEM = Path.of("/sys/class");
    /** No counters. */
    static final WireCounters NONE = new WireCounters(List.of());

    private static final int WORD_BYTES = 4;

    private final List<Counter> counters;

    private record Counter(Path file, int bytes) {}

    private WireCounters(List<Counter> counters) {
        this.counters = counters;
    }

    /** Returns the counters of port 1 of devices; those of each device once. */
    static WireCounters of(Path system, List<String> devices) {
        final List<Counter> found = new ArrayList<>();
        for (String device : devices.stream().distinct().toList()) {
            final Path port = system.resolve("infiniband").resolve(device).resolve("ports/1");
            final Path words = port.resolve("counters/port_xmit_data");
            final Path network = system.resolve("net").resolve(network(port)).resolve("statistics/tx_bytes");
            if (Files.isReadable(words)) {
                found.add(new Counter(words, WORD_BYTES));
            } else if (Files.isReadable(network)) {
                found.add(new Counter(network, 1));
            } else {
                return NONE;
            }
        }
        return new WireCounters(found);
    }

    private static String network(Path port) {
        try {
            return Files.readString(port.resolve("gid_attrs/ndevs/0")).strip();
        } catch (IOException e) {
            return "none";
        }
    }

    /** {@return the sum of all, or NaN without counters} */
    double bytesSent() {
        double sum = counters.isEmpty() ? Double.NaN : 0;
        for (Counter counter : counters) {
            try {
                sum += (double) Long.parseLong(Files.readString(counter.file()).strip()) * counter.bytes();
            } catch (IOException | NumberFormatException e) {
                return Double.NaN;
            }
        }
        return sum;
    }
}
