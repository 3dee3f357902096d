package io.teff.test.bench.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the reports of selector providers. */
final class NioFiguresTest {
    private static final NioCase TRIP = new NioCase(NioMode.PLAIN_TRIP, 16, 1);
    private static final NioCase IDLE = new NioCase(NioMode.IDLE, 1, 1000);

    private static NioFigures figures() {
        final NioFigures figures = new NioFigures(List.of(TRIP, IDLE), 2);
        for (double factor : new double[] {1, 3}) {
            figures.add(NioKind.JDK, outcome(10 * factor, 1));
            figures.add(NioKind.TEFF, outcome(3 * factor, 32));
            figures.add(NioKind.UCX, outcome(2 * factor, 0));
        }
        return figures;
    }

    private static Outcome outcome(double microseconds, double kib) {
        return new Outcome(Map.of(TRIP.prefix() + "p50 us", microseconds, IDLE.prefix() + "KiB", kib), null);
    }

    @Test
    void table_threeContenders_hasMediansAndBars() {
        final List<String> lines = figures().table(Sample.MACHINE).lines().map(line -> line.replaceAll(" +", " "))
            .toList();
        assertTrue(lines.contains("16 B, 1 connection: java.nio, ping-pong, both ends spin"), lines::toString);
        assertTrue(lines.contains("JDK 20.0 - - - -"), lines::toString);
        assertTrue(lines.contains(NioBars.PUBLISHED), lines::toString);
        assertEquals(List.of("0.6 x JDK / round trip, spinning 2.00 at least 1.0: met",
            "1.3 x UCX / round trip, spinning 0.87 at least 1.0: MISSED",
            "64 KiB / memory of an idle connection 2.00 at least 1.0: met"),
            lines.stream().filter(line -> line.contains("at least")).toList());
    }

    @Test
    void json_threeContenders_hasFiguresAndRatios() throws IOException {
        final Map<String, Object> document = JSON.std.mapFrom(figures().json(Sample.MACHINE));
        assertEquals(List.of("machine", "flags of all", "flags", "rounds", "published", "figures", "ratios", "bars",
            "failures"), List.copyOf(document.keySet()));
        assertEquals(List.of("teff", "ucx"), List.copyOf(((Map<?, ?>) document.get("ratios")).keySet()).stream()
            .map(String::valueOf).sorted().toList());
    }

    @Test
    void all_threeLists_variesConnectionsOfNettyAlone() {
        assertEquals(List.of(new NioCase(NioMode.PLAIN_TRIP, 16, 1), new NioCase(NioMode.NETTY_RATE, 16, 1),
            new NioCase(NioMode.NETTY_RATE, 16, 4), new NioCase(NioMode.IDLE, 1, 9)),
            NioCase.all(List.of(NioMode.PLAIN_TRIP, NioMode.NETTY_RATE, NioMode.IDLE), List.of(16), List.of(1, 4), 9));
    }
}
