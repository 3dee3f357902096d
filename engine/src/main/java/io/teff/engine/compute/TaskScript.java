package io.teff.engine.compute;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A script of steps as JSON. Immutable.
 * <pre>
 *  {"name": "spread",
 *   "parameters": {"root": 7, "rounds": 20},
 *   "steps": [
 *     {"task": "spread/begin", "argument": "${root}"},
 *     {"set": "reached", "to": 1},
 *     {"while": {"left": "reached", "is": "&gt;", "right": 0}, "atMost": "rounds", "steps": [
 *       {"task": "spread/round", "reduce": "SUM", "into": "reached"}]},
 *     {"if": {"left": "reached", "is": "==", "right": 0}, "then": [...], "else": [...]},
 *     {"repeat": 3, "steps": [...]}]}
 * </pre>
 * A name has a number or a text. An operand of a condition, {@code atMost}, {@code repeat} and {@code to} are a number,
 * or the name of a value. In an argument, <code>${name}</code> stands for a value; the task gets the text in UTF-8.
 * With {@code reduce}, {@code into} takes the first reduced number; without it, the results of all workers as one text.
 * The number {@code round} is that of the innermost loop, from 0.
 */
public final class TaskScript {
    /** Most steps of a run, so that each run ends. */
    public static final long STEPS_MAX = 1_000_000;
    /** Deepest nesting of loops and conditions. */
    public static final int DEPTH_MAX = 16;

    private static final String ROUND = "round";

    private final String name;
    private final Map<String, Object> parameters;
    private final List<Node> nodes;

    private sealed interface Node {
        /** A step. */
        record Step(String task, String argument, Reduction reduction, @Nullable String into) implements Node {}

        /** A value. */
        record Assign(String name, Object to) implements Node {}

        /** A choice. */
        record If(Condition condition, List<Node> then, List<Node> otherwise) implements Node {}

        /** A loop: ends when its condition is false, or after its number of rounds. */
        record Loop(@Nullable Condition condition, Object rounds, List<Node> nodes) implements Node {}
    }

    private record Condition(Object left, String is, Object right) {}

    /** Runs a step of a script. */
    @FunctionalInterface
    public interface Steps {
        /**
         * Runs a step.
         *
         * @param task name of the task
         * @param argument for all workers
         * @param reduction of the results
         * @return the results
         */
        StepResult run(String task, byte[] argument, Reduction reduction);
    }

    private TaskScript(String name, Map<String, Object> parameters, List<Node> nodes) {
        this.name = name;
        this.parameters = parameters;
        this.nodes = nodes;
    }

    // ---- reading ----

    /**
     * Reads a script.
     *
     * @param json the text
     * @return the script
     * @throws IllegalArgumentException naming what is wrong
     */
    public static TaskScript parse(String json) {
        if (!(JsonText.parse(json) instanceof Map<?, ?> top)) {
            throw wrong("a script is a JSON object");
        }
        onlyKeys(top, "name", "parameters", "steps");
        final Map<String, Object> parameters = new LinkedHashMap<>();
        if (top.get("parameters") instanceof Map<?, ?> given) {
            given.forEach((key, value) -> parameters.put(key.toString(), checked(key.toString(), value)));
        } else if (top.containsKey("parameters")) {
            throw wrong("parameters are a JSON object");
        }
        return new TaskScript(text(top, "name"), parameters, nodes(top.get("steps"), 0));
    }

    private static List<Node> nodes(@Nullable Object json, int depth) {
        if (!(json instanceof List<?> list)) {
            throw wrong("steps are a JSON array");
        }
        if (depth > DEPTH_MAX) {
            throw wrong("loops and conditions are nested deeper than " + DEPTH_MAX);
        }
        final List<Node> nodes = new ArrayList<>();
        for (Object item : list) {
            if (!(item instanceof Map<?, ?> map)) {
                throw wrong("a step is a JSON object, not " + item);
            }
            nodes.add(node(map, depth));
        }
        return List.copyOf(nodes);
    }

    private static Node node(Map<?, ?> map, int depth) {
        if (map.containsKey("task")) {
            onlyKeys(map, "task", "argument", "reduce", "into");
            return new Node.Step(text(map, "task"), map.containsKey("argument") ? plain(map.get("argument")) : "",
                map.containsKey("reduce") ? reduction(text(map, "reduce")) : Reduction.GATHER,
                map.containsKey("into") ? text(map, "into") : null);
        }
        if (map.containsKey("set")) {
            onlyKeys(map, "set", "to");
            return new Node.Assign(text(map, "set"), operand(map, "to"));
        }
        if (map.containsKey("if")) {
            onlyKeys(map, "if", "then", "else");
            return new Node.If(condition(map.get("if")), nodes(map.get("then"), depth + 1),
                map.containsKey("else") ? nodes(map.get("else"), depth + 1) : List.of());
        }
        if (map.containsKey("while")) {
            onlyKeys(map, "while", "atMost", "steps");
            return new Node.Loop(condition(map.get("while")), map.containsKey("atMost") ? operand(map, "atMost")
                : (Object) STEPS_MAX, nodes(map.get("steps"), depth + 1));
        }
        if (map.containsKey("repeat")) {
            onlyKeys(map, "repeat", "steps");
            return new Node.Loop(null, operand(map, "repeat"), nodes(map.get("steps"), depth + 1));
        }
        throw wrong("a step has none of the keys task, set, if, while and repeat: " + map);
    }

    private static Condition condition(@Nullable Object json) {
        if (!(json instanceof Map<?, ?> map)) {
            throw wrong("a condition is a JSON object");
        }
        onlyKeys(map, "left", "is", "right");
        final String is = text(map, "is");
        if (!List.of("<", "<=", "==", "!=", ">=", ">").contains(is)) {
            throw wrong("a condition compares by <, <=, ==, !=, >= or >, not by " + is);
        }
        return new Condition(operand(map, "left"), is, operand(map, "right"));
    }

    private static Reduction reduction(String text) {
        try {
            return Reduction.valueOf(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("script: no reduction " + text, e);
        }
    }

    private static void onlyKeys(Map<?, ?> map, String... keys) {
        for (Object key : map.keySet()) {
            if (!List.of(keys).contains(key.toString())) {
                throw wrong("unknown key " + key + " beside " + String.join(", ", keys));
            }
        }
    }

    private static String text(Map<?, ?> map, String key) {
        if (map.get(key) instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw wrong(key + " is no text");
    }

    private static Object operand(Map<?, ?> map, String key) {
        final Object value = map.get(key);
        if (value instanceof Long || value instanceof String text && !text.isEmpty()) {
            return value;
        }
        throw wrong(key + " is no whole number, and no name of a value");
    }

    private static String plain(@Nullable Object value) {
        if (value instanceof String || value instanceof Long) {
            return value.toString();
        }
        throw wrong("an argument is a text or a whole number, not " + value);
    }

    private static Object checked(String name, @Nullable Object value) {
        if (value instanceof Long || value instanceof String) {
            return value;
        }
        throw wrong("parameter " + name + " is no text, and no whole number");
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("script: " + what);
    }

    // ---- running ----

    /** {@return the name of the script} */
    public String name() {
        return name;
    }

    /** {@return the parameters with their defaults} */
    public Map<String, Object> parameters() {
        return Map.copyOf(parameters);
    }

    /**
     * Runs the script.
     *
     * @param steps runs each step
     * @param given values that replace defaults of parameters
     * @return the values of all names at the end
     * @throws IllegalArgumentException if a given parameter is none of the script, or a value is no number where a
     *     number is needed
     */
    public Map<String, Object> run(Steps steps, Map<String, Object> given) {
        final Map<String, Object> values = new HashMap<>(parameters);
        given.forEach((key, value) -> {
            if (!parameters.containsKey(key)) {
                throw wrong("no parameter " + key + "; the parameters of " + name + " are " + parameters.keySet());
            }
            values.put(key, checked(key, value instanceof Integer number ? Long.valueOf(number) : value));
        });
        new Run(steps, values).run(nodes);
        values.remove(ROUND);
        return values;
    }

    /** One run: the values of names, and the number of steps until now. */
    private static final class Run {
        private final Steps steps;
        private final Map<String, Object> values;
        private long count;

        Run(Steps steps, Map<String, Object> values) {
            this.steps = steps;
            this.values = values;
        }

        void run(List<Node> nodes) {
            for (Node node : nodes) {
                switch (node) {
                    case Node.Step step -> step(step);
                    case Node.Assign assign -> values.put(assign.name, value(assign.to));
                    case Node.If choice -> run(holds(choice.condition) ? choice.then : choice.otherwise);
                    case Node.Loop loop -> loop(loop);
                }
            }
        }

        private void loop(Node.Loop loop) {
            final Object outer = values.get(ROUND);
            final long rounds = number(loop.rounds);
            for (long round = 0; round < rounds; round++) {
                values.put(ROUND, round);
                if (loop.condition != null && !holds(loop.condition)) {
                    break;
                }
                tick();
                run(loop.nodes);
            }
            if (outer == null) {
                values.remove(ROUND);
            } else {
                values.put(ROUND, outer);
            }
        }

        private void tick() {
            if (++count > STEPS_MAX) {
                throw wrong("more than " + STEPS_MAX + " steps");
            }
        }

        private void step(Node.Step step) {
            tick();
            final StepResult result = steps.run(step.task, fill(step.argument).getBytes(StandardCharsets.UTF_8),
                step.reduction);
            if (step.into != null) {
                values.put(step.into, step.reduction == Reduction.GATHER ? text(result) : (Object) result.number());
            }
        }

        private static String text(StepResult result) {
            final StringBuilder text = new StringBuilder();
            result.results().forEach(bytes -> text.append(new String(bytes, StandardCharsets.UTF_8)));
            return text.toString();
        }

        /** Replaces each name in braces by its value. */
        private String fill(String argument) {
            final StringBuilder filled = new StringBuilder();
            int at = 0;
            for (int open = argument.indexOf("${"); open >= 0; open = argument.indexOf("${", at)) {
                final int close = argument.indexOf('}', open);
                if (close < 0) {
                    throw wrong("no } behind ${ in " + argument);
                }
                filled.append(argument, at, open).append(named(argument.substring(open + 2, close)));
                at = close + 1;
            }
            return filled.append(argument, at, argument.length()).toString();
        }

        private Object named(String name) {
            final Object value = values.get(name);
            if (value == null) {
                throw wrong("no value " + name);
            }
            return value;
        }

        private Object value(Object operand) {
            return operand instanceof String name ? named(name) : operand;
        }

        private long number(Object operand) {
            if (value(operand) instanceof Long number) {
                return number;
            }
            throw wrong(operand + " is no number");
        }

        private boolean holds(Condition condition) {
            final int order = Long.compare(number(condition.left), number(condition.right));
            return switch (condition.is) {
                case "<" -> order < 0;
                case "<=" -> order <= 0;
                case "==" -> order == 0;
                case "!=" -> order != 0;
                case ">=" -> order >= 0;
                default -> order > 0;
            };
        }
    }

    /** {@return the name, for people} */
    @Override
    public String toString() {
        return "TaskScript[" + name + ']';
    }
}
