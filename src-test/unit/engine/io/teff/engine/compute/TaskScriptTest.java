package io.teff.engine.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts with a task "half", which returns the half of its argument, and "say", which returns its argument. */
final class TaskScriptTest {
    private final List<String> calls = new ArrayList<>();

    private StepResult step(String task, byte[] argument, Reduction reduction) {
        String text = new String(argument, StandardCharsets.UTF_8);
        calls.add(task + " " + text);
        return reduction == Reduction.GATHER ? new StepResult(calls.size(), List.of(argument, argument), new long[0])
            : new StepResult(calls.size(), List.of(), new long[] {Long.parseLong(text) / 2});
    }

    private Map<String, Object> run(String json, Map<String, Object> parameters) {
        return TaskScript.parse(json).run(this::step, parameters);
    }

    @Test
    void while_runsUntilItsConditionIsFalse() {
        String json = """
            {"name": "halves", "parameters": {"from": 20}, "steps": [
              {"set": "left", "to": "from"},
              {"while": {"left": "left", "is": ">", "right": 0}, "steps": [
                {"task": "half", "argument": "${left}", "reduce": "SUM", "into": "left"}]},
              {"task": "say", "argument": "end of ${from}: ${left}", "into": "text"}]}
            """;
        assertEquals(Map.of("from", 20L, "left", 0L, "text", "end of 20: 0end of 20: 0"), run(json, Map.of()));
        assertEquals(List.of("half 20", "half 10", "half 5", "half 2", "half 1", "say end of 20: 0"), calls);
        calls.clear();
        run(json, Map.of("from", 3));
        assertEquals(List.of("half 3", "half 1", "say end of 3: 0"), calls);
    }

    @Test
    void repeatAndIf_nest_andRoundIsThatOfTheInnerLoop() {
        run("""
            {"name": "nested", "steps": [
              {"repeat": 2, "steps": [
                {"repeat": 2, "steps": [{"task": "in", "argument": "${round}"}]},
                {"if": {"left": "round", "is": "==", "right": 1},
                 "then": [{"task": "then", "argument": "${round}"}],
                 "else": [{"task": "else", "argument": "${round}"}]}]}]}
            """, Map.of());
        assertEquals(List.of("in 0", "in 1", "else 0", "in 0", "in 1", "then 1"), calls);
    }

    @Test
    void while_withAtMost_ends() {
        run("""
            {"name": "bounded", "parameters": {"most": 3}, "steps": [
              {"while": {"left": 1, "is": ">=", "right": 1}, "atMost": "most", "steps": [
                {"task": "a"}]}]}
            """, Map.of("most", 2L));
        assertEquals(List.of("a ", "a "), calls);
    }

    /** Also a loop without a step ends. */
    @Test
    void while_thatNeverEnds_isEndedByTheBound() {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> run("""
            {"name": "endless", "steps": [{"while": {"left": 1, "is": "==", "right": 1}, "steps": [
              {"while": {"left": 1, "is": "==", "right": 1}, "steps": []}]}]}
            """, Map.of())).getMessage().contains("more than"));
    }

    @Test
    void run_unknownParameterOrValue_isRefused() {
        String json = """
            {"name": "a", "parameters": {"x": 1}, "steps": [{"task": "t", "argument": "${y}"}]}
            """;
        assertTrue(assertThrows(IllegalArgumentException.class, () -> run(json, Map.of("z", 1))).getMessage()
            .contains("no parameter z"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> run(json, Map.of())).getMessage()
            .contains("no value y"));
        assertEquals(List.of(), calls);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"name\": \"a\"}", "{\"name\": \"a\", \"steps\": [{}]}",
        "{\"name\": \"a\", \"steps\": [{\"task\": \"t\", \"reduce\": \"AVERAGE\"}]}",
        "{\"name\": \"a\", \"steps\": [{\"task\": \"t\", \"typo\": 1}]}",
        "{\"name\": \"a\", \"steps\": [{\"if\": {\"left\": 1, \"is\": \"=\", \"right\": 1}, \"then\": []}]}",
        "{\"name\": \"a\", \"steps\": [],}", "{\"name\": \"a\", \"steps\": []} x",
        "{\"name\": \"a\", \"name\": \"b\", \"steps\": []}",
        "{\"name\": \"a\", \"steps\": [{\"repeat\": 1.5, \"steps\": []}]}"})
    void parse_mistake_isNamed(String json) {
        assertTrue(assertThrows(IllegalArgumentException.class, () -> TaskScript.parse(json)).getMessage()
            .startsWith("script: "));
    }

    @Test
    void parse_escapes_areCharacters() {
        run("{\"name\": \"\\u0041\\n\", \"steps\": [{\"task\": \"t\", \"argument\": \"\\\"\\\\\\/\\t\"}]}", Map.of());
        assertEquals(List.of("t \"\\/\t"), calls);
    }

    @Test
    void reduction_combinesRowsOfDifferentLengths() {
        assertEquals(List.of(5L, 7L, 9L), java.util.Arrays.stream(Reduction.SUM.combine(new long[] {1, 7, 9},
            new long[] {4})).boxed().toList());
        assertEquals(-3, Reduction.MIN.combine(-3, 8));
        assertEquals(8, Reduction.MAX.combine(-3, 8));
        assertEquals(7, Reduction.OR.combine(5, 3));
        assertEquals(1.5, Double.longBitsToDouble(Reduction.SUM_DOUBLE.combine(Double.doubleToRawLongBits(0.5),
            Double.doubleToRawLongBits(1))));
    }
}
