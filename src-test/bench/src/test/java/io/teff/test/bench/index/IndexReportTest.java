package io.teff.test.bench.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.tier.FullTier;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Goal: the benchmark of indexes runs on all stores. Method: small maps. */
final class IndexReportTest {
    @TempDir
    private Path folder;

    @Test
    @FullTier("Starts two JVMs; IndexedMapTest of the gate shows that indexes and queries are right.")
    void call_smallMaps_hasALineForEachFigure() {
        StringWriter out = new StringWriter();
        int code = new CommandLine(new IndexReport()).setOut(new PrintWriter(out)).execute("--entries", "20000",
            "--puts", "40000", "--rounds", "1", "--out", folder.toString());
        assertEquals(0, code);
        for (String figure : new String[] {"new x1", "moved x2", "same x1", "query ms", "project ms"}) {
            assertTrue(out.toString().lines().anyMatch(line -> line.matches(figure + " +[0-9.]+ +[0-9.]+")),
                () -> figure + " is not in " + out);
        }
        assertTrue(Files.exists(folder.resolve("index.json")));
    }
}
