package io.teff.test.bench.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.graph.formats.GapGraph;
import io.teff.test.bench.report.Bar;
import io.teff.test.bench.report.Sample;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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

/** Goal: the comparison of graphs runs all libraries on one file, and reads what GAP prints. Method: a tiny graph. */
final class GraphReportTest {
    private static final int SCALE = 8;

    @TempDir
    Path folder;

    @Test
    @FullTier("Starts five JVMs; KernelsTest of the gate shows that searches, components and ranks are right.")
    void call_tinyGraph_hasALineForEachLibrary() throws IOException {
        StringWriter out = new StringWriter();
        int code = new CommandLine(new GraphReport()).setOut(new PrintWriter(out)).execute("--scale", "" + SCALE,
            "--roots", "3", "--rounds", "1", "--memory", "1", "--out", folder.toString());
        assertEquals(0, code);
        for (GraphKind kind : GraphKind.values()) {
            String line = out.toString().lines().filter(it -> it.startsWith(kind.title() + "  ")).findFirst()
                .orElseThrow(() -> new AssertionError(out.toString()));
            assertTrue(line.matches(".*  +[0-9]+\\.[0-9]{2}.*"), line);
        }
        assertEquals(1 << SCALE, GapGraph.read(folder.resolve("kronecker-" + SCALE + ".sg")).vertexCount());
        assertTrue(Files.exists(folder.resolve("graph.json")));
    }

    /** A cost whose processor time is half of its time. */
    private static PartsTrial.Cost cost(double ms) {
        return new PartsTrial.Cost(ms, ms / 2);
    }

    private static PartsTrial.Figures round(double arraysMs, double programMs, double clusterMs, boolean isEqual) {
        return new PartsTrial.Figures(cost(arraysMs), cost(programMs), cost(clusterMs), 11, 2.188, 19.71, isEqual);
    }

    @Test
    void partsFigures_haveMediansOfTheRatiosOfRounds() throws IOException {
        PartsFigures figures = new PartsFigures(15_700_000, 4.5, 3.01);
        figures.add(PartsAlgorithm.PAGERANK, round(100, 200, 400, true));
        figures.add(PartsAlgorithm.PAGERANK, round(100, 400, 1200, true));
        figures.add(PartsAlgorithm.PAGERANK, round(100, 100, 250, true));
        figures.add(PartsAlgorithm.TRIANGLES, round(100, Double.NaN, 250, true));
        String table = figures.table(Sample.MACHINE);
        String line = table.lines().filter(it -> it.startsWith("pagerank ")).findFirst().orElseThrow();
        assertEquals(List.of("pagerank", "100", "200", "400", "4.00", "2.50", "2.50", "11", "2.19", "19.7"),
            List.of(line.strip().split(" +")));
        assertTrue(table.lines().anyMatch(it -> it.matches("triangles +100 +- +250 +2\\.50 +- +- .*")), table);
        assertEquals(List.of(0.4), figures.bars().stream().map(Bar::value).toList());
        assertTrue(figures.isRight() && figures.bars().getFirst().isMet(), table);
        Map<?, ?> algorithms = (Map<?, ?>) JSON.std.mapFrom(figures.json(Sample.MACHINE)).get("algorithms");
        assertEquals(3, ((List<?>) algorithms.get("pagerank")).size());
    }

    @Test
    void partsFigures_withAnotherResult_sayIt() {
        PartsFigures figures = new PartsFigures(10, 1, 3);
        figures.add(PartsAlgorithm.BFS, round(1, 1, 3, true));
        figures.add(PartsAlgorithm.BFS, round(1, 1, 3, false));
        assertFalse(figures.isRight());
        assertTrue(figures.table(Sample.MACHINE).contains("ANOTHER RESULT"));
        assertFalse(figures.bars().getFirst().isMet());
        assertFalse(PartsAlgorithm.BFS.isEqual(new double[] {0, 1}, new double[] {0, 2}));
        assertTrue(PartsAlgorithm.PAGERANK.isEqual(new double[] {0.5}, new double[] {0.5 + 1e-12}));
        assertFalse(PartsAlgorithm.PAGERANK.isEqual(new double[] {0.5}, new double[] {0.5 + 1e-6}));
    }

    @Test
    @Tag("processes")
    @Timeout(600)
    @FullTier("Starts a cluster of processes; PartedGraphOnStoresTest of the gate has the algorithms on peers.")
    void call_cluster_hasALineForEachAlgorithm() {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        int port = 20_000 + ThreadLocalRandom.current().nextInt(60) * 200;
        assertEquals(0, new CommandLine(new GraphReport()).setOut(new PrintWriter(out)).setErr(new PrintWriter(errors))
            .execute("--cluster", "--scale", "" + SCALE, "--rounds", "1", "--memory", "1", "--port", "" + port, "--out",
                folder.toString()), errors::toString);
        for (PartsAlgorithm algorithm : PartsAlgorithm.values()) {
            assertTrue(out.toString().lines().anyMatch(line -> line.startsWith(algorithm.id() + ' ')), out::toString);
        }
        assertTrue(Files.exists(folder.resolve("graph-cluster.json")));
    }

    @Test
    void figures_linesOfGap_areRead() throws IOException {
        String text = "Read Time: 0.1\nTrial Time:          0.25000\nTrial Time:  0.75\nAverage Time: 0.5\n";
        assertEquals(2.0, GapProgram.figures(text, 1_000_000).get("search MTEPS"));
        assertThrows(IOException.class, () -> GapProgram.figures("nothing", 1));
    }
}
