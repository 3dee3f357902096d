package io.teff.test.bench.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Sample;
import io.teff.test.bench.session.SessionProcess.Outcome;
import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Tests of the comparison of clusters: the figures by known rates, each system by a tiny run. */
@Timeout(600)
@Tag("processes")
final class GridReportTest {
    private static final String PUT = GridPlan.prefix(GridOp.PUT, 16) + "K/s";

    @TempDir
    private Path folder;

    private static Outcome outcome(double rate, double resident) {
        return new Outcome(Map.of(PUT, rate, "RSS empty MiB", resident, "kill: errors", 0.0), null);
    }

    @Test
    void bars_compareFiguresOfARound() throws IOException {
        GridFigures figures = new GridFigures(List.of(16), 2, "four nodes");
        figures.add(GridKind.TEFF, outcome(10, 800));
        figures.add(GridKind.HAZELCAST, outcome(5, 400));
        figures.add(GridKind.TEFF, outcome(30, 800));
        figures.add(GridKind.HAZELCAST, outcome(20, 400));
        assertEquals(List.of(1.75, 0.5), figures.bars().stream().map(Bar::value).toList());
        assertEquals(List.of(false, false), figures.bars().stream().map(Bar::isMet).toList());
        String table = figures.table(Sample.MACHINE);
        assertTrue(table.contains("four nodes") && table.contains("put 16 / Hazelcast, teff"), table);
        assertTrue(JSON.std.mapFrom(figures.json(Sample.MACHINE)).containsKey("bars"));
        assertTrue(figures.isComplete());
        figures.add(GridKind.IGNITE, new Outcome(Map.of(), "has failed: no node"));
        assertTrue(!figures.isComplete() && figures.table(Sample.MACHINE).contains("ignite has failed: no node"));
    }

    @Test
    void table_saysThatTheMachineWasBusy() {
        GridFigures figures = new GridFigures(List.of(16), 1, "four nodes");
        figures.add(GridKind.TEFF, new Outcome(Map.of(GridFigures.BUSY, 3.0), null));
        assertFalse(figures.table(Sample.MACHINE).contains("busy with other work"));
        figures.add(GridKind.HAZELCAST, new Outcome(Map.of(GridFigures.BUSY, 40.0), null));
        assertTrue(figures.table(Sample.MACHINE).contains("busy with other work"));
    }

    @Test
    void values_haveTheirKeyAndANumber() {
        byte[] value = GridValues.of(7, 16, new SplittableRandom(1));
        assertTrue(GridValues.isOf(7, value));
        assertFalse(GridValues.isOf(8, value));
        assertFalse(GridValues.isOf(7, null));
        assertEquals(1, GridValues.number(GridValues.raised(value)));
        assertEquals(0, GridValues.number(value));
        assertTrue(GridValues.isOf(7, GridValues.raised(value)));
    }

    @ParameterizedTest
    @EnumSource(GridKind.class)
    @LongTier("Servers of each system for a minute. The other tests of this class have the figures by known rates.")
    void command_onATinyCluster_measuresEachOperation(GridKind kind) throws IOException {
        StringWriter errors = new StringWriter();
        CommandLine command = new CommandLine(new GridReport()).setOut(new PrintWriter(Writer.nullWriter()))
            .setErr(new PrintWriter(errors));
        assertEquals(0, command.execute("--systems", '^' + kind.id() + '$', "--entries", "2000", "--nodes", "3",
            "--measure-ms", "200", "--threads", "2", "--rounds", "1", "--memory-mib", "128", "--port",
            String.valueOf(port()), "--out", folder.toString()), errors::toString);
        Map<String, Object> json = JSON.std.mapFrom(Files.readString(folder.resolve("grid.json")));
        Map<String, Object> figures = new HashMap<>();
        ((Map<?, ?>) ((Map<?, ?>) json.get("figures")).get(kind.id())).forEach((name, figure) ->
            figures.put((String) name, ((Map<?, ?>) figure).get("median")));
        for (GridOp op : GridOp.values()) {
            Number rate = (Number) figures.get(GridPlan.prefix(op, 2) + "K/s");
            assertTrue(rate == null ? !kind.has(op) : rate.doubleValue() > 0, () -> op + " " + json);
        }
        assertEquals(0.0, figures.get("kill: missing"), json::toString);
    }

    /** Returns a port that is probably free, as are the ports behind it. */
    private static int port() {
        return 20_000 + ThreadLocalRandom.current().nextInt(60) * 300;
    }
}
