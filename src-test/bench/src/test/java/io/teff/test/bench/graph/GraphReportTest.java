package io.teff.test.bench.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.formats.GapGraph;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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

    @Test
    void figures_linesOfGap_areRead() throws IOException {
        String text = "Read Time: 0.1\nTrial Time:          0.25000\nTrial Time:  0.75\nAverage Time: 0.5\n";
        assertEquals(2.0, GapProgram.figures(text, 1_000_000).get("search MTEPS"));
        assertThrows(IOException.class, () -> GapProgram.figures("nothing", 1));
    }
}
