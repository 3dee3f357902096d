package io.teff.tools.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command {@code graph parts} on a durable store. */
@FullTier("Ten stores are opened. PartedGraphTest has the algorithms.")
final class PartsCommandTest {
    private static final int EXIT_USAGE = 2;

    @TempDir
    private Path folder;

    private int run(StringWriter out, String... arguments) {
        return new CommandLine(new PartsCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(out))
            .execute(arguments);
    }

    private Map<String, Object> json(String... words) throws IOException {
        StringWriter out = new StringWriter();
        String[] all = new String[words.length + 3];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = "--at=file:" + folder.resolve("store");
        all[words.length + 1] = "--json";
        all[words.length + 2] = "--quiet";
        assertEquals(0, run(out, all), out::toString);
        return JSON.std.mapFrom(out.toString());
    }

    @Test
    void parts_ofASmallFile_answerEachAction() throws IOException {
        Path file = Files.writeString(folder.resolve("edges.txt"), "0 1\n1 2\n2 0\n3 4\n");
        assertEquals(5, json("load", file.toString()).get("vertices"));
        assertEquals(8, json("info").get("arcs"));
        assertEquals("3 vertices in 2 levels", json("bfs", "0").get("result"));
        assertEquals("3 vertices, the farthest at 1.0", json("paths", "0").get("result"));
        assertEquals("2 components, the largest with 3 vertices", json("components").get("result"));
        assertEquals("the innermost core is the 2-core", json("cores").get("result"));
        assertEquals("1 triangles", json("triangles").get("result"));
        assertTrue((Integer) json("communities", "--rounds=3", "--on-loss=step").get("supersteps") == 4);
        assertTrue(((String) json("pagerank").get("result")).startsWith("vertex "));
        assertEquals("removed", json("drop").get("result"));
        for (String[] wrong : List.of(new String[] {"bfs", "--at=memory:"}, new String[] {"dance", "--at=memory:"},
            new String[] {"info"}, new String[] {"info", "--at=memory:", "--on-loss=perhaps"})) {
            assertEquals(EXIT_USAGE, run(new StringWriter(), wrong));
        }
        assertEquals(1, run(new StringWriter(), "info", "--at=memory:", "--quiet"));
    }
}
