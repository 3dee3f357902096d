package io.teff.tools.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.kit.tier.FullTier;
import io.teff.tools.cli.Teff;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

/** Goal: output and exit codes of the graph commands. Method: small graphs in folders of their own. */
final class GraphCommandTest {
    private static final int EXIT_USAGE = 2;

    @TempDir
    private Path folder;

    private record Outcome(int exit, String out, String err) {}

    private Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("graph"));
        all.addAll(List.of(arguments));
        all.add("--store=" + folder.resolve("store"));
        all.add("--quiet");
        int exit = Teff.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
        return new Outcome(exit, out.toString(), err.toString());
    }

    private String good(String... arguments) {
        Outcome outcome = run(arguments);
        assertEquals(0, outcome.exit(), outcome::err);
        assertEquals("", outcome.err());
        return outcome.out();
    }

    private Map<String, Object> json(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        return JSON.std.mapFrom(good(all.toArray(String[]::new)));
    }

    private void loadPackages() throws IOException {
        Path file = Files.writeString(folder.resolve("packages.csv"), """
            source,target,label
            app,lib,Depends
            tool,app,Depends
            tool,lib,Recommends
            lib,libc,Depends
            libc,lib,Depends
            other,app,Suggests
            """);
        good("load", file.toString(), "--directed");
    }

    private static void assertSvg(Path file) throws Exception {
        String text = Files.readString(file);
        assertEquals("svg", DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
            .parse(new InputSource(new StringReader(text))).getDocumentElement().getTagName());
    }

    @Test
    void namedGraph_answersEachQuestion() throws Exception {
        loadPackages();
        Path svg = folder.resolve("picture.svg");
        Map<String, Object> info = json("info", "--svg=" + svg);
        assertSvg(svg);
        assertEquals(5, info.get("vertices"));
        assertEquals(6, info.get("arcs"));
        assertTrue(good("info").contains("4 Depends"), good("info"));
        String path = good("path", "tool", "libc");
        assertTrue(path.contains("PATH   of 2 arcs") && path.contains("-> lib  (Recommends)"), path);
        assertTrue(good("path", "tool", "libc", "--labels=Depends").contains("PATH   of 3 arcs"));
        assertTrue(good("path", "libc", "app", "--both-ways").contains("<- app  (Depends)"));
        Map<String, Object> affected = json("rebuild", "lib", "--labels=Depends", "--svg=" + svg);
        assertSvg(svg);
        assertEquals(List.of(1, 2, 1), affected.get("levels"));
        assertEquals(3, affected.get("affected"));
        assertEquals(List.of(1, 3, 1), json("rebuild", "lib").get("levels"));
        assertTrue(good("cycles").contains("2 vertices: lib, libc"), good("cycles"));
        assertTrue(good("cycles", "--labels=Suggests").startsWith("CYCLES  0"));
        assertTrue(good("neighbours", "tool", "--svg=" + svg).contains("Recommends"));
        assertSvg(svg);
        assertTrue(good("neighbours", "app", "--reverse", "--labels=Depends").contains("app: 1 arcs to it"));
        assertEquals(List.of(1, 2, 1), json("bfs", "tool", "--svg=" + svg).get("levels"));
        assertSvg(svg);
        assertEquals(json("bfs", "lib", "--reverse").get("levels"), json("bfs", "lib", "--reverse", "--frozen")
            .get("levels"));
        assertTrue(good("components").contains("5 vertices with app"), good("components"));
        assertTrue(good("pagerank", "--top=1").contains("lib"));
        assertTrue(good("cores").contains("k = 2 and 3 vertices"), good("cores"));
        assertEquals(1, json("triangles").get("triangles"));
    }

    @Test
    @FullTier("Two seconds for two graphs. GeneratorsTest has the generators, and the tests of the kernels searches.")
    void numberedGraph_ofAGenerator_isTheSameAfterwards() throws IOException {
        String loaded = good("load", "kronecker:8", "--seed=5", "--name=k", "--compact");
        assertTrue(loaded.contains("256") && loaded.contains("4,096 in the source"), loaded);
        good("load", "kronecker:8", "--seed=5", "--name=other");
        Object levels = json("bfs", "7", "--name=k").get("levels");
        assertEquals(levels, json("bfs", "7", "--name=other").get("levels"));
        assertEquals(List.of("k", "other"), json("info", "--name=k").get("graphsOfTheStore"));
        Outcome none = run("info", "--name=none");
        assertEquals(1, none.exit());
        assertTrue(none.err().contains("the store has no graph none; its graphs: k, other"), none::err);
        Outcome beyond = run("bfs", "256", "--name=k");
        assertEquals(1, beyond.exit());
        assertTrue(beyond.err().contains("the vertices are 0 to 255"), beyond::err);
    }

    @Test
    @FullTier("A second for a store of its own. ShortestPathsTest has the lengths.")
    void weightedGraph_hasLightestPaths() throws IOException {
        Path file = Files.writeString(folder.resolve("roads.txt"), "0 1 5\n0 2 1\n2 3 1.5\n3 1 0\n1 4 1\n5 6 1\n");
        good("load", file.toString());
        assertTrue(good("path", "0", "4").contains("PATH   of 2 arcs; "), good("path", "0", "4"));
        String lightest = good("path", "0", "4", "--weights");
        assertTrue(lightest.contains("PATH   of 4 arcs, length 3.50000") && lightest.contains("-> 3  (1.5)"), lightest);
        assertEquals(3.5, json("path", "0", "4", "--weights").get("length"));
        assertEquals(1, run("path", "0", "6", "--weights").exit());
        assertTrue(good("communities").contains("3 vertices with 0, 3, 4"), good("communities"));
    }

    @Test
    @FullTier("Three seconds for loads of six graphs. RoundTripTest has writers and readers.")
    void export_andLoad_giveTheSameGraph() throws IOException {
        loadPackages();
        for (String name : List.of("a.graphml", "b.graphml.gz")) {
            Path file = folder.resolve(name);
            assertTrue(good("export", file.toString()).startsWith("EXPORTED"));
            good("load", file.toString(), "--name=" + name);
            Map<String, Object> first = json("info");
            Map<String, Object> second = json("info", "--name=" + name);
            for (String key : List.of("vertices", "arcs", "directed", "names", "labels", "highest")) {
                assertEquals(first.get(key), second.get(key), key);
            }
            assertEquals(1, run("export", file.toString()).exit());
        }
        good("load", "grid:9,9,0,0.5", "--name=grid");
        for (String name : List.of("c.txt", "d.mtx", "e.bin")) {
            good("export", folder.resolve(name).toString(), "--name=grid");
            good("load", folder.resolve(name).toString(), "--name=" + name);
            assertEquals(json("info", "--name=grid").get("arcs"), json("info", "--name=" + name).get("arcs"));
            assertEquals(json("path", "0", "80", "--weights", "--name=grid").get("length"),
                json("path", "0", "80", "--weights", "--name=" + name).get("length"));
        }
        assertEquals(EXIT_USAGE, run("export", "a.gt").exit());
    }

    @Test
    @FullTier("Two seconds for two graphs. namedGraph_answersEachQuestion has the load.")
    void load_whereAGraphIs_needsReplace() throws IOException {
        loadPackages();
        Path file = Files.writeString(folder.resolve("pairs.txt"), "0 1\n1 2\n");
        Outcome refused = run("load", file.toString());
        assertEquals(1, refused.exit());
        assertTrue(refused.err().contains("--replace"), refused::err);
        assertEquals(5, json("info").get("vertices"));
        good("load", file.toString(), "--replace");
        Map<String, Object> info = json("info");
        assertEquals(3, info.get("vertices"));
        assertEquals(false, info.get("names"));
        assertEquals(List.of(), info.get("labels"));
    }

    @Test
    @FullTier("A second for a store of its own. TextFormatsTest has the faults.")
    void load_thatFails_leavesNoGraph_andASecondLoadSucceeds() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), "source,target\na,b\nc\n");
        Outcome failed = run("load", file.toString());
        assertEquals(1, failed.exit());
        assertTrue(failed.err().contains("bad.csv:3: expected at least 2 fields"), failed::err);
        assertEquals(1, run("info").exit());
        Files.writeString(file, "source,target\nx,y\n");
        good("load", file.toString());
        assertEquals(2, json("info").get("vertices"));
    }

    @Test
    @FullTier("A second for a store of its own. namedGraph_answersEachQuestion has names.")
    void load_ofHugeNumbers_isRefusedWithARemedy() throws IOException {
        Path file = Files.writeString(folder.resolve("huge.txt"), "0 2000000000\n");
        Outcome refused = run("load", file.toString());
        assertEquals(1, refused.exit());
        assertTrue(refused.err().contains("read the numbers as names"), refused::err);
        good("load", file.toString(), "--named");
        assertTrue(good("path", "2000000000", "0").contains("PATH   of 1 arcs"));
    }

    @Test
    void vertexOrLabel_thatDoesNotExist_isNamedWithANearOne() throws IOException {
        loadPackages();
        Outcome vertex = run("neighbours", "LIBC");
        assertEquals(1, vertex.exit());
        assertTrue(vertex.err().contains("there is no vertex LIBC; there is libc"), vertex::err);
        Outcome label = run("cycles", "--labels=Needs");
        assertEquals(1, label.exit());
        assertTrue(label.err().contains("labels: Depends, Recommends, Suggests"), label::err);
        Outcome path = run("path", "libc", "tool");
        assertEquals(1, path.exit());
        assertTrue(path.err().contains("there is no path from libc to tool"), path::err);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        load                           | SOURCE
        load kronecker:99              | scale=99 is outside of 0..30
        load kronecker:x               | has other words than numbers
        load uniform:10                | has 1 numbers; expected 2
        load a.txt --first=2           | first=2 is neither 0 nor 1
        load a.txt --format=word       | --format
        info --top=-1                  | --top=-1 is outside of 0..1000
        path a                         | TO
        pagerank --damping=2           | --damping=2.0 is outside of 0..1
        neighbours a --drawn=0         | --drawn=0 is outside of 1..500
        path a b --weights --both-ways | --weights excludes
        bfs a b                        | unknown argument b
        """)
    void wrongCommandLine_exitsWithTwoAndNamesIt(String line, String message) {
        Outcome outcome = run(line.split(" "));
        assertEquals(EXIT_USAGE, outcome.exit(), outcome::out);
        assertTrue(outcome.err().contains(message), outcome::err);
    }

    @Test
    void questions_withoutAStore_sayHowToLoad() {
        for (String question : List.of("info", "components", "pagerank", "cycles", "cores", "triangles")) {
            Outcome outcome = run(question);
            assertEquals(1, outcome.exit());
            assertTrue(outcome.err().contains("./teff graph load makes one"), outcome::err);
        }
    }
}
