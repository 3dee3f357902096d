package io.teff.tools.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.engine.report.HeapPlan;
import io.teff.tools.cli.Teff;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: loads are parsed, and the plan of the engine is printed unchanged. Method: small plans. */
final class PlanCommandTest {
    private static final int EXIT_USAGE = 2;

    private record Outcome(int exit, String out, String err) {}

    private static Outcome run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> all = new ArrayList<>(List.of("heap", "plan"));
        all.addAll(List.of(arguments));
        int exit = Teff.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
        return new Outcome(exit, out.toString(), err.toString());
    }

    @ParameterizedTest
    @CsvSource({"5x7, 5, 7, 7", "10Mx16-128, 10000000, 16, 128", "1kx64KiB, 1000, 65536, 65536", "2gX1-1m, "
        + "2000000000, 1, 1048576", "0x0, 0, 0, 0"})
    void convert_text_isTheLoad(String text, long chunks, long bytesMin, long bytesMax) {
        assertEquals(new HeapPlan.Load(chunks, bytesMin, bytesMax), new LoadForm().convert(text));
    }

    @Test
    void json_hasTheEnginesAnswer() throws IOException {
        HeapPlan plan = HeapPlan.of(List.of(new HeapPlan.Load(1000, 1, 100), new HeapPlan.Load(3, 1 << 20, 1 << 20)));
        Outcome outcome = run("1kx1-100", "3x1m", "--json");
        assertEquals(0, outcome.exit(), outcome::err);
        Map<String, Object> answer = JSON.std.mapFrom(outcome.out());
        assertEquals(plan.usedBytes(), ((Number) answer.get("usedBytes")).longValue());
        assertEquals(plan.wasteBytes(), ((Number) answer.get("wasteBytes")).longValue());
        assertEquals(1003, ((Number) answer.get("chunks")).longValue());
    }

    @Test
    void text_hasEveryPart() {
        Outcome outcome = run("10Mx16-128");
        assertEquals(0, outcome.exit(), outcome::err);
        for (String expected : List.of("PLAN  10,000,000 chunks", "720,000,000 B        72.00 B per chunk",
            "table", "slot waste", "page headers", "free slots", "in all", "8.98 B per chunk beyond its payload")) {
            assertTrue(outcome.out().contains(expected), () -> expected + " in " + outcome.out());
        }
        outcome.out().lines().forEach(line -> assertTrue(line.length() <= 120, line));
        assertTrue(run("9tx1").err().contains("outside of 0..1099511627775"));
        assertTrue(run("900gx1t").out().isEmpty());
        assertTrue(run("100gx100").out().contains("one store cannot hold that"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        10M          | is not a load
        x16          | is not a load
        10x          | is not a load
        10x5-        | is not a load
        -5x5         | LOAD
        10x9-5       | cannot be stored
        10x9y        | is not a size
        10x5 foo     | foo' is not a load
        10x5 2x99t   | 2x99t' cannot be stored
        9999999999999tx1 | cannot be stored
        5x9t         | cannot be stored
        900gx7t      | more than 2^63 - 1 bytes
        """)
    void load_wrong_exitsWithTwoAndNamesIt(String load, String message) {
        Outcome outcome = run(load.split(" "));
        assertEquals(EXIT_USAGE, outcome.exit(), outcome::out);
        assertTrue(outcome.err().contains(message), outcome::err);
        assertEquals("", outcome.out());
    }

    @Test
    void noLoad_exitsWithTwo() {
        Outcome outcome = run();
        assertEquals(EXIT_USAGE, outcome.exit());
        assertTrue(outcome.err().contains("LOAD"), outcome::err);
    }
}
