package io.teff.test.bench.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the reports of methods to write and read. */
final class DiskFiguresTest {
    private static DiskFigures figures() {
        DiskFigures figures = new DiskFigures("ext4", 64 << 20, 2);
        for (double factor : new double[] {1, 3}) {
            figures.add(DiskMethod.PWRITE, outcome(1200 * factor, 800));
            figures.add(DiskMethod.MAPPED, outcome(6 * factor, 400));
        }
        figures.leaveOut(DiskMethod.RING, "the kernel refuses it: io_uring_setup: error 1");
        return figures;
    }

    private static Outcome outcome(double ns, double bandwidth) {
        return new Outcome(Map.of("88 B ns", ns, "8 MiB MB/s", bandwidth), null);
    }

    @Test
    void table_twoWays_dividesByTheBestOfEachFigure() {
        List<String> lines = figures().table(Sample.MACHINE).lines().toList();
        assertTrue(lines.contains("ext4, a file of 64 MiB, median of 2 rounds"), lines::toString);
        List<String> mapped = lines.stream().filter(line -> line.startsWith("mapped")).toList();
        assertEquals(List.of("mapped 12.0 - - - - 400 - -", "mapped 50.0 - - - - 0.00 - -",
            "mapped 1.00 - - - - 0.50 - -"), mapped.stream().map(line -> line.replaceAll(" +", " ")).toList());
        assertTrue(lines.stream().anyMatch(line -> line.matches("pwrite +200 +- +- +- +- +1.00 +- +-")),
            lines::toString);
        assertEquals("io_uring is left out: the kernel refuses it: io_uring_setup: error 1", lines.getLast());
    }

    @Test
    void json_twoWays_hasFiguresRatiosAndWhatIsLeftOut() throws IOException {
        Map<String, Object> document = JSON.std.mapFrom(figures().json(Sample.MACHINE));
        assertEquals(List.of("machine", "flags of all", "flags", "fileSystem", "fileBytes", "rounds", "figures",
            "ratios", "leftOut", "failures"), List.copyOf(document.keySet()));
        assertEquals(Map.of("ring", "the kernel refuses it: io_uring_setup: error 1"), document.get("leftOut"));
        assertEquals(Map.of("88 B ns", 200.0, "8 MiB MB/s", 1.0),
            ((Map<?, ?>) document.get("ratios")).get("pwrite"));
    }
}
