package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Goal: output and exit codes of the soak command. Method: the shortest complete runs. The verdict on drift is not
 * asserted, because a short run in a new JVM is warm-up only.
 */
final class SoakCommandTest {
    private static final int EXIT_USAGE = 2;
    private static final String REPRODUCE = "soak --seed=5 --minutes=0.01 --chunks=3000 --threads=3 --min-size=16"
        + " --max-size=128 --rate=500";

    @TempDir
    private Path folder;

    private record Outcome(int exit, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = new CommandLine(new SoakCommand())
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
        return new Outcome(exit, out.toString(), err.toString());
    }

    @Test
    @Tag("modes")
    void json_shortRun_hasEveryFigure_andLeavesNoFile() throws IOException {
        Outcome outcome = run("--minutes=0.01", "--chunks=3000", "--threads=3", "--rate=500", "--seed=5", "--json",
            "--directory=" + folder);
        Map<String, Object> report = JSON.std.mapFrom(outcome.out());
        assertTrue(report.get("reproduce").toString().endsWith(REPRODUCE), outcome::out);
        assertEquals(Criterion.values().length, list(report, "criteria").size(), outcome::out);
        Map<?, ?> work = (Map<?, ?>) report.get("work");
        long cycles = number(work, "cycles");
        assertTrue(cycles >= SoakRun.CYCLES_MIN, outcome::out);
        assertEquals(cycles, list(report, "samples").size());
        assertEquals(cycles * 3_000, number(work, "steps"));
        assertEquals(2 * cycles, number(work, "accounts"));
        assertEquals((cycles + SoakRun.CYCLES_PER_SNAPSHOT - 1) / SoakRun.CYCLES_PER_SNAPSHOT,
            number(work, "snapshots"));
        for (Object sample : list(report, "samples")) {
            assertEquals(3_000 + 3 * 24 + SharedChunks.COUNT + LatencyProbe.SLOTS,
                number((Map<?, ?>) sample, "chunks"));
        }
        assertEquals(cycles + 1, outcome.err().lines().filter(line -> line.startsWith("  ")).count(), outcome::err);
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void text_shortRun_fitsOnAScreenAndEndsWithTheVerdict() {
        Outcome outcome = run("--minutes=0.001", "--chunks=100", "--threads=1", "--quiet");
        List<String> lines = outcome.out().lines().toList();
        assertTrue(lines.size() < 30, outcome::out);
        assertTrue(lines.getLast().startsWith("soak: "), outcome::out);
        assertTrue(outcome.out().contains("100 chunks of 16 to 128 bytes, 1 threads, seed 1"), outcome::out);
        lines.forEach(line -> assertEquals(line.stripTrailing(), line));
    }

    @Test
    void run_tooSmallStore_exitsWithOneAndPrintsTheReproduction() throws IOException {
        Outcome outcome = run("--minutes=0.01", "--chunks=90000", "--memory=8m", "--json", "--quiet");
        assertEquals(SoakCommand.EXIT_FAILED, outcome.exit());
        assertTrue(outcome.err().contains("./teff soak: the memory limit is reached"), outcome::err);
        assertTrue(outcome.err().contains("reproduce: ./teff "), outcome::err);
        assertTrue(outcome.err().contains("--memory=8388608"), outcome::err);
        Map<String, Object> report = JSON.std.mapFrom(outcome.out());
        assertEquals(false, report.get("ok"));
        assertTrue(list(report, "criteria").isEmpty());
    }

    @Test
    void help_always_namesEveryOption() {
        Outcome outcome = run("--help");
        assertEquals(0, outcome.exit());
        for (String word : List.of("--minutes", "--chunks", "--threads", "--seed", "--memory", "--json", "--rate")) {
            assertTrue(outcome.out().contains(word), outcome::out);
        }
        assertFalse(outcome.out().contains("${"), outcome::out);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        --minutes=0             | --minutes=0.0 is not above 0
        --minutes=soon          | --minutes
        --chunks=99             | --chunks=99 is less than 100
        --threads=0             | --threads=0 is outside of 1..64
        --threads=65            | --threads=65 is outside of 1..64
        --min-size=8            | --min-size=8 is less than 16
        --max-size=1m           | --max-size=1048576 is more than 16384
        --min-size=200          | --min-size=200 is more than --max-size=128
        --rate=0                | --rate=0 is outside of
        --memory=1k             | --memory=1024 is outside of
        --memory=64m --chunks=1000000 | the memory limit is 64.0 MiB
        --chunks=2000000000 --memory=8000g | of Java heap
        --directory=/no/such/folder | is not a writable folder
        --unknown               | --unknown
        """)
    void options_wrong_exitWithTwoAndNameTheValue(String arguments, String message) {
        Outcome outcome = run(arguments.split(" "));
        assertEquals(EXIT_USAGE, outcome.exit());
        assertTrue(outcome.err().contains(message), outcome::err);
        assertEquals("", outcome.out());
    }

    private static List<?> list(Map<?, ?> object, String name) {
        return (List<?>) Objects.requireNonNull(object.get(name), name);
    }

    private static long number(Map<?, ?> object, String name) {
        return ((Number) Objects.requireNonNull(object.get(name), name)).longValue();
    }
}
