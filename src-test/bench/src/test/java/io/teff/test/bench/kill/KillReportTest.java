package io.teff.test.bench.kill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Sample;
import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests of the kills under load: the figures by known times, the command by a tiny cluster. */
@Timeout(600)
@Tag("processes")
final class KillReportTest {
    @TempDir
    private Path folder;

    private static KillTimes times(double lastMs, double readMs, long wrong) {
        return new KillTimes("peer-1", 4_000, 8, 20, 60, 300, lastMs, readMs, 2_000, 500, 900, wrong);
    }

    private static KillFigures figures() {
        KillFigures figures = new KillFigures(4_000, 64, 4, 2, 1_000);
        figures.space(Map.of("peer-1", 1_000_000L, "superpeer-1", 5L), Map.of("peer-1", 3_000_000L, "superpeer-1", 9L),
            1_000, 4_001_000);
        figures.idle("empty", Map.of("peer-1", 1.5));
        return figures;
    }

    @Test
    void figures_haveMedianAndWorst_andABarForEachMode() {
        KillFigures figures = figures();
        figures.add(KillMode.ATTESTED, times(900, 1_000, 0));
        figures.add(KillMode.ATTESTED, times(1_400, 1_500, 0));
        figures.add(KillMode.ATTESTED, times(1_000, 1_200, 0));
        figures.add(KillMode.LEASE, times(2_900, 6_000, 0));
        assertEquals(List.of(2.0, 0.5), figures.bars().stream().map(Bar::value).toList());
        String table = figures.table(Sample.MACHINE);
        assertTrue(table.contains("125 B of resident memory in all peers, 250 B of files"), table);
        assertTrue(table.lines().anyMatch(line -> line.startsWith("median") && line.contains("1000")
            && line.contains("1200")), table);
        assertTrue(table.lines().anyMatch(line -> line.startsWith("worst") && line.contains("1400")), table);
        assertTrue(table.contains("MISSED") && table.contains("every chunk was right"), table);
    }

    @Test
    void figures_ofLeaders_haveBarsOfTheirOwn() throws IOException {
        KillFigures figures = figures();
        figures.add(new LeaderTimes("superpeer-1", 1_200, 1_250, 40, 45, 900, 0));
        figures.add(new LeaderTimes("superpeer-3", 4_900, 5_000, 50, 60, 800, 0));
        figures.add(new LeaderTimes("superpeer-2", 1_300, 1_350, 200, 210, 900, 0));
        assertEquals(List.of(0.5, 0.5), figures.bars().stream().map(Bar::value).toList());
        String table = figures.table(Sample.MACHINE);
        assertTrue(table.lines().anyMatch(line -> line.startsWith("median") && line.contains("1350")
            && line.contains("50.0")), table);
        Map<String, Object> json = JSON.std.mapFrom(figures.json(Sample.MACHINE));
        Map<?, ?> leader = (Map<?, ?>) ((Map<?, ?>) json.get("modes")).get("leader");
        assertEquals(5_000.0, leader.get("worst metadata back ms"));
        assertEquals(3, ((List<?>) leader.get("kills")).size());
        figures.add(new LeaderTimes("superpeer-1", 1_200, 1_250, 40, 45, 900, 1));
        assertTrue(!figures.isRight());
    }

    @Test
    void figures_ofRefills_haveABarForReads() throws IOException {
        KillFigures figures = figures();
        figures.add(new RefillTimes("peer-1", 9_000, 500, 1_000, 2, 900, 0));
        figures.add(new RefillTimes("peer-2", 8_000, 400, 1_600, 4, 900, 0));
        figures.add(new RefillTimes("peer-3", 8_000, 500, 500, 1, 900, 0));
        assertEquals(List.of(1.0), figures.bars().stream().map(Bar::value).toList());
        Map<String, Object> json = JSON.std.mapFrom(figures.json(Sample.MACHINE));
        Map<?, ?> refill = (Map<?, ?>) ((Map<?, ?>) json.get("modes")).get("refill");
        assertEquals(1_600.0, refill.get("worst p99 then us"));
        assertTrue(figures.isRight());
        figures.add(new RefillTimes("peer-1", 9_000, 500, 1_000, 2, 900, 1));
        assertTrue(!figures.isRight());
    }

    @Test
    void figures_ofRates_haveBarsForCallsAndScans() throws IOException {
        KillFigures figures = figures();
        figures.add(new RateTimes("peer-1", 6_000, 900, 6_000, 2_000, 1_000, 4_000, List.of(0L, 900L), 7, 0));
        figures.add(new RateTimes("peer-2", 6_000, 900, 12_000, 4_000, 1_000, 8_000, List.of(0L, 901L), 7, 0));
        figures.add(new RateTimes("peer-3", 6_000, 900, 500, 500, 1_000, 1_000, List.of(0L, 902L), 7, 0));
        assertEquals(List.of(0.5, 0.5, 0.5), figures.bars().stream().map(Bar::value).toList());
        assertTrue(figures.table(Sample.MACHINE).contains("peer-2, calls/s of each half second: [0, 901]"));
        Map<String, Object> json = JSON.std.mapFrom(figures.json(Sample.MACHINE));
        Map<?, ?> rate = (Map<?, ?>) ((Map<?, ?>) json.get("modes")).get("rate");
        assertEquals(4_000.0, rate.get("worst longest call ms"));
        figures.add(new RateTimes("peer-1", 6_000, 900, 6_000, 2_000, 1_000, 4_000, List.of(), 7, 1));
        assertTrue(!figures.isRight());
    }

    @Test
    void figures_withAWrongChunk_sayIt() throws IOException {
        KillFigures figures = figures();
        figures.add(KillMode.ATTESTED, times(900, 1_000, 3));
        assertTrue(!figures.isRight() && figures.table(Sample.MACHINE).contains("CHUNKS WERE WRONG"));
        Map<String, Object> json = JSON.std.mapFrom(figures.json(Sample.MACHINE));
        assertEquals(4_000, json.get("chunksPerPeer"));
        assertTrue(String.valueOf(json.get("modes")).contains("wrong=3"), json::toString);
    }

    @Test
    @LongTier("A cluster of processes for two minutes. The other tests of this class have the figures by known "
        + "times.")
    void command_onATinyCluster_measuresEachStep() throws IOException {
        StringWriter errors = new StringWriter();
        CommandLine command = new CommandLine(new KillReport()).setOut(new PrintWriter(Writer.nullWriter()))
            .setErr(new PrintWriter(errors));
        assertEquals(0, command.execute("--chunks", "1000", "--kills", "1", "--modes", "attested,leader,refill,rate",
            "--memory", "64m", "--threads", "2", "--rate", "200", "--idle-seconds", "1", "--port",
            String.valueOf(port()), "--out", folder.toString()), errors::toString);
        Map<String, Object> json = JSON.std.mapFrom(Files.readString(folder.resolve("cluster-kill.json")));
        Map<?, ?> modes = (Map<?, ?>) json.get("modes");
        Map<?, ?> attested = (Map<?, ?>) modes.get("attested");
        for (String step : KillTimes.STEPS.keySet()) {
            assertTrue(((Number) attested.get("worst " + step + " ms")).doubleValue() > 0, () -> step + " " + json);
        }
        Map<?, ?> leader = (Map<?, ?>) modes.get("leader");
        for (String step : LeaderTimes.STEPS.keySet()) {
            assertTrue(((Number) leader.get("worst " + step + " ms")).doubleValue() > 0, () -> step + " " + json);
        }
        Map<?, ?> refill = (Map<?, ?>) modes.get("refill");
        for (String step : RefillTimes.STEPS.keySet()) {
            assertTrue(((Number) refill.get("worst " + step)).doubleValue() > 0, () -> step + " " + json);
        }
        Map<?, ?> rate = (Map<?, ?>) modes.get("rate");
        for (String step : RateTimes.STEPS.keySet()) {
            assertTrue(((Number) rate.get("worst " + step)).doubleValue() > 0, () -> step + " " + json);
        }
    }

    /** Returns a port that is probably free; the command checks all of them. */
    private static int port() {
        return 20_000 + ThreadLocalRandom.current().nextInt(60) * 200;
    }
}
