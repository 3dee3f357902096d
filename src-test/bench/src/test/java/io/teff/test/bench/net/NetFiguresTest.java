package io.teff.test.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the reports of ways to send messages. */
final class NetFiguresTest {
    private static final NetCase TRIP = new NetCase(NetMode.ROUND_TRIP, 64, 1, 1);
    private static final NetCase WAY = new NetCase(NetMode.ONE_WAY, 64, 1, 1);

    private static NetFigures figures() {
        NetFigures figures = new NetFigures(List.of(TRIP, WAY), 2);
        for (double factor : new double[] {1, 3}) {
            figures.add(NetKind.TEFF_TCP, outcome(20 * factor, 8));
            figures.add(NetKind.SOCKET, outcome(15 * factor, 0.5));
        }
        return figures;
    }

    private static Outcome outcome(double microseconds, double millions) {
        return new Outcome(Map.of(TRIP.prefix() + "p50 us", microseconds, WAY.prefix() + "M/s", millions), null);
    }

    @Test
    void table_twoWays_hasMediansSpreadAndBars() {
        List<String> lines = figures().table(Sample.MACHINE).lines().toList();
        assertTrue(lines.contains("64 B, 1 thread, 1 link: messages from one node to others"), lines::toString);
        List<String> sockets = lines.stream().filter(line -> line.startsWith("java.nio, blocking"))
            .map(line -> line.replaceAll(" +", " ")).toList();
        assertEquals(List.of("java.nio, blocking 30.0 - - - - - - -", "java.nio, blocking 50.0 - - - - - - -",
            "java.nio, blocking 0.50 - - -", "java.nio, blocking 0.00 - - -"), sockets);
        assertTrue(lines.stream().anyMatch(line -> line.replaceAll(" +", " ")
            .startsWith("2 x p50 of blocking sockets / p50 1.50 at least 1.0: met")),
            lines::toString);
        assertTrue(lines.stream().anyMatch(line -> line.replaceAll(" +", " ")
            .startsWith("messages / one call per message 16.0 at least 5.0: met")),
            lines::toString);
    }

    @Test
    void json_twoWays_hasFiguresAndBars() throws IOException {
        Map<String, Object> document = JSON.std.mapFrom(figures().json(Sample.MACHINE));
        assertEquals(List.of("machine", "flags of all", "flags", "rounds", "figures", "ratios", "bars", "failures"),
            List.copyOf(document.keySet()));
        assertEquals(2, ((List<?>) document.get("bars")).size());
    }

    @Test
    void bars_ofNothingAllocated_sayMissedAndMet() {
        NetFigures figures = new NetFigures(List.of(WAY), 1);
        figures.add(NetKind.TEFF_TCP, new Outcome(Map.of(WAY.prefix() + "alloc B", 0.2), null));
        figures.add(NetKind.TEFF_LOOP, new Outcome(Map.of(WAY.prefix() + "alloc B", 0.0), null));
        List<String> bars = figures.table(Sample.MACHINE).lines().filter(line -> line.contains("at least"))
            .map(line -> line.replaceAll(" +", " ")).toList();
        assertEquals(List.of("0.05 B / allocated by a message, tcp 0.25 at least 1.0: MISSED",
            "0.05 B / allocated by a message, process 500 at least 1.0: met"), bars);
    }

    @Test
    void json_idleConnections_hasEveryRound() throws IOException {
        NetCase idle = new NetCase(NetMode.IDLE, 64, 1, NetCase.IDLE_LINKS);
        NetFigures figures = new NetFigures(List.of(idle), 2);
        figures.add(NetKind.TEFF_TCP, new Outcome(Map.of(idle.prefix() + "KiB", 8.0), null));
        figures.add(NetKind.TEFF_TCP, new Outcome(Map.of(idle.prefix() + "KiB", -4.0), null));
        Map<?, ?> all = (Map<?, ?>) JSON.std.mapFrom(figures.json(Sample.MACHINE)).get("figures");
        Map<?, ?> own = (Map<?, ?>) all.get(NetKind.TEFF_TCP.id());
        assertEquals(List.of(8.0, -4.0), ((Map<?, ?>) own.get(idle.prefix() + "KiB")).get("rounds"));
    }
}
