package io.teff.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Goal: output and exit codes of the demo command. Method: small complete runs. */
final class DemoCommandTest {
    private static final int EXIT_USAGE = 2;

    private record Outcome(int exit, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new CommandLine(new DemoCommand())
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
        return new Outcome(exit, out.toString(), err.toString());
    }

    @Test
    @Tag("modes")
    void json_smallLoadAndWholeGraph_isOneDocumentWithRightFigures() throws IOException {
        Outcome outcome = run("--count", "20000", "--json", "--audit", "--seed=5");
        assertEquals(0, outcome.exit(), outcome::err);
        Map<String, Object> report = JSON.std.mapFrom(outcome.out());
        assertEquals(true, report.get("ok"));
        assertNull(report.get("failure"));
        Map<?, ?> graph = part(report, "graph");
        assertTrue(number(graph, "classes") > 5_000);
        assertEquals(2 * number(graph, "classes"), number(graph, "chunks"));
        assertTrue(number(graph, "references") > 2 * number(graph, "classes"));
        assertEquals("java.lang.String", part(graph, "referrers").get("name"));
        assertEquals(number(part(graph, "path"), "steps") + 1, list(part(graph, "path"), "classes").size());
        assertEquals("java.lang.Object", ((Map<?, ?>) list(graph, "mostReferenced").getFirst()).get("name"));
        Map<?, ?> load = part(report, "load");
        assertEquals(5, number(part(load, "plan"), "seed"));
        assertEquals(20_000, number(part(load, "footprint"), "chunks"));
        assertEquals(4, list(load, "perOperation").size());
        for (Object operation : list(load, "perOperation")) {
            Map<?, ?> figures = (Map<?, ?>) operation;
            assertTrue(number(figures, "count") > 0 && number(figures, "p50Ns") > 0, operation::toString);
            assertTrue(number(figures, "maxNs") >= number(figures, "p999Ns"), operation::toString);
        }
        assertNotNull(load.get("auditSeconds"));
        assertAddsUp(part(load, "footprint"));
        assertTrue(number(part(report, "collector"), "heapPeakBytes") > 0);
    }

    private static void assertAddsUp(Map<?, ?> footprint) {
        assertEquals(number(footprint, "usedBytes"), number(footprint, "payloadBytes")
            + number(footprint, "slotWasteBytes") + number(footprint, "freeSlotBytes")
            + number(footprint, "tableBytes"));
        assertTrue(number(footprint, "committedBytes") <= number(footprint, "limitBytes"));
    }

    @Test
    void text_withoutLoad_hasTheGraphOnOneScreen() {
        Outcome outcome = run("--no-load", "--quiet", "--class=java.util.List", "--from=java.lang.Object",
            "--to=java.util.Map$Entry");
        assertEquals(0, outcome.exit(), outcome::err);
        assertEquals("", outcome.err());
        assertTrue(outcome.out().contains("java.util.List is referred to by "), outcome::out);
        assertTrue(outcome.out().contains("java.util.Map$Entry"), outcome::out);
        assertFalse(outcome.out().contains("LOAD"), outcome::out);
        assertTidy(outcome.out());
    }

    @Test
    void text_withoutGraph_hasTheLoadOnOneScreen() {
        Outcome outcome = run("--no-graph", "--quiet", "--count=5000", "--threads=3", "--max-size=1k");
        assertEquals(0, outcome.exit(), outcome::err);
        assertTrue(outcome.out().contains("5,000 chunks of 16 to 1024 bytes, 3 threads"), outcome::out);
        assertFalse(outcome.out().contains("CLASS GRAPH"), outcome::out);
        assertTidy(outcome.out());
    }

    @FullTier("40 s of JVMs that are killed. CrashLaneTest kills processes with a durable store.")
    @Test
    void durable_afterKills_isWhatWasAcknowledged(@TempDir Path folder) throws IOException {
        String place = folder.resolve("data").toString();
        Outcome outcome = run("--no-graph", "--no-load", "--quiet", "--json", "--durable=" + place);
        assertEquals(0, outcome.exit(), outcome::err);
        Map<?, ?> durable = part(JSON.std.mapFrom(outcome.out()), "durable");
        assertEquals(3, number(durable, "kills"));
        assertTrue(number(durable, "acknowledgedUpdates") > 3000, outcome::out);
        assertEquals(number(durable, "keptUpdates"),
            number(durable, "acknowledgedUpdates") + number(durable, "underWayUpdates"));
        assertTrue(number(durable, "classes") > 5_000 && number(durable, "restoredEntries") > 10_000, outcome::out);
        Outcome again = run("--durable=" + place);
        assertEquals(EXIT_USAGE, again.exit());
        assertTrue(again.err().contains("is not empty"), again::err);
    }

    private static void assertTidy(String text) {
        assertTrue(text.lines().count() < 50, text);
        text.lines().forEach(line -> assertTrue(line.length() <= 120 && line.equals(line.stripTrailing()), line));
    }

    @Test
    void load_aboveTheMemoryLimit_exitsWithOneAndNamesTheLimit() throws IOException {
        Outcome outcome = run("--no-graph", "--count=90000", "--memory=8m", "--json", "--quiet");
        assertEquals(DemoCommand.EXIT_FAILED, outcome.exit(), outcome::out);
        assertTrue(outcome.err().contains("the memory limit of 8.0 MiB is reached"), outcome::err);
        Map<String, Object> report = JSON.std.mapFrom(outcome.out());
        assertEquals(false, report.get("ok"));
        assertNull(report.get("load"));
        assertTrue(Objects.toString(report.get("failure")).contains("memory limit"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --count=0               | --count=0 is less than 1
        --count=many            | --count
        --threads=0             | --threads=0 is outside of 1..256
        --threads=257           | --threads=257 is outside of 1..256
        --min-size=8            | --min-size=8 is less than 16
        --max-size=2m           | --max-size=2097152 is more than 1048576
        --min-size=200          | --min-size=200 is more than --max-size=128
        --memory=4x             | '4x' is not a size
        --memory=1k             | --memory=1024 is outside of
        --memory=64m            | the memory limit is 64.0 MiB
        --count=900000000000000 | chunks need more than
        --no-load --class=no.Such | this JVM has no class no.Such
        --no-load --from=no.Such  | this JVM has no class no.Such
        --no-load --to=no.Such    | this JVM has no class no.Such
        --no-graph --no-load    | no part to run
        --unknown               | --unknown
        """)
    void options_wrong_exitWithTwoAndNameTheValue(String arguments, String message) {
        Outcome outcome = run(arguments.split(" "));
        assertEquals(EXIT_USAGE, outcome.exit());
        assertTrue(outcome.err().contains(message), outcome::err);
        assertEquals("", outcome.out());
    }

    private static Map<?, ?> part(Map<?, ?> object, String name) {
        return (Map<?, ?>) Objects.requireNonNull(object.get(name), name);
    }

    private static List<?> list(Map<?, ?> object, String name) {
        return (List<?>) Objects.requireNonNull(object.get(name), name);
    }

    private static long number(Map<?, ?> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).longValue();
    }
}
