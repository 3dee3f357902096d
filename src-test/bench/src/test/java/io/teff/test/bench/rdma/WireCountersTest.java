package io.teff.test.bench.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counters of devices are found where the kernel has them. */
final class WireCountersTest {
    @TempDir
    private Path system;

    private void write(String file, String content) throws IOException {
        final Path path = system.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    @Test
    void bytesSent_portThatCountsWords_isFourTimesThat() throws IOException {
        write("infiniband/a/ports/1/counters/port_xmit_data", "25\n");
        final WireCounters counters = WireCounters.of(system, List.of("a", "a"));
        assertEquals(100, counters.bytesSent());
        write("infiniband/a/ports/1/counters/port_xmit_data", "30\n");
        assertEquals(120, counters.bytesSent());
    }

    @Test
    void bytesSent_softwareDevices_areThoseOfTheirNetworks() throws IOException {
        for (int i = 0; i < 2; i++) {
            write("infiniband/rxe" + i + "/ports/1/gid_attrs/ndevs/0", "veth" + i + "\n");
            write("net/veth" + i + "/statistics/tx_bytes", (i + 1) + "000\n");
        }
        assertEquals(3000, WireCounters.of(system, List.of("rxe0", "rxe1")).bytesSent());
    }

    @Test
    void bytesSent_noCounters_isNoNumber() throws IOException {
        assertTrue(Double.isNaN(WireCounters.NONE.bytesSent()));
        assertTrue(Double.isNaN(WireCounters.of(system, List.of("x")).bytesSent()));
        write("infiniband/a/ports/1/counters/port_xmit_data", "none");
        assertTrue(Double.isNaN(WireCounters.of(system, List.of("a")).bytesSent()));
    }
}
