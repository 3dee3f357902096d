package io.teff.test.bench.session;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Starts the JVM of a session, waits for it, and reads its figures. */
@NullMarked
public final class SessionProcess {
    /** Flags of every JVM, in addition to its share of the memory and those of its store. */
    public static final List<String> FLAGS = List.of("-XX:+AlwaysPreTouch", "-Dchronicle.analytics.disable=true",
        "--sun-misc-unsafe-memory-access=allow");

    /** Property by which JMH runs although another JMH process on the machine does. */
    private static final String IGNORE_LOCK = "jmh.ignoreLock";
    /** Property with further flags, separated by commas, for tests of tiny plans, whose figures are not compared. */
    private static final String MORE_FLAGS = "teff.session.flags";
    private static final int MINUTES_MAX = 60;
    private static final int REASON_CHARS = 500;
    private static final String MAIN = "io.teff.test.bench.BenchCommand";

    /**
     * The outcome of a session.
     *
     * @param figures by name; empty if it failed
     * @param failure the failure, or null
     */
    public record Outcome(Map<String, Double> figures, @Nullable String failure) {
        /**
         * Joins the outcomes of several sessions.
         *
         * @param outcomes of each
         * @return all of their figures and failures
         */
        public static Outcome joined(List<Outcome> outcomes) {
            Map<String, Double> figures = new LinkedHashMap<>();
            outcomes.forEach(outcome -> figures.putAll(outcome.figures));
            String failures = outcomes.stream().map(Outcome::failure).filter(Objects::nonNull)
                .collect(Collectors.joining("; "));
            return new Outcome(figures, failures.isEmpty() ? null : failures);
        }
    }

    private SessionProcess() {}

    /**
     * Runs a session.
     *
     * @param plan the plan
     * @param folder folder for its output
     * @return its outcome
     */
    public static Outcome run(ProcessPlan plan, Path folder) throws IOException, InterruptedException {
        Path result = Files.createTempFile(folder, "session", ".json");
        Path log = log(plan, folder);
        try {
            Process process = start(plan, result, folder);
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                return new Outcome(Map.of(), "took more than " + MINUTES_MAX + " minutes");
            }
            if (process.exitValue() != 0) {
                return new Outcome(Map.of(), "failed with exit code " + process.exitValue() + ", see " + log + ": "
                    + reason(log));
            }
            Map<String, Double> figures = new LinkedHashMap<>();
            JSON.std.mapFrom(Files.readString(result)).forEach((name, value) -> {
                if (value instanceof Number number) {           // a figure that is no number is a text
                    figures.put(name, number.doubleValue());
                }
            });
            return new Outcome(figures, null);
        } finally {
            Files.deleteIfExists(result);
        }
    }

    /**
     * Starts a session that the caller supervises.
     *
     * @param plan the plan
     * @param result file for its figures
     * @param folder folder for its output
     * @return its process
     */
    public static Process start(ProcessPlan plan, Path result, Path folder) throws IOException {
        return new ProcessBuilder(command(plan, result)).redirectErrorStream(true)
            .redirectOutput(log(plan, folder).toFile()).start();
    }

    /** Returns the first line of a log that names an exception, or the last one. */
    private static String reason(Path log) throws IOException {
        String[] lines = Files.readString(log, StandardCharsets.ISO_8859_1).strip().split("\n");
        String found = Arrays.stream(lines).filter(line -> line.matches(".*(Exception|Error)\\b.*")).findFirst()
            .orElse(lines[lines.length - 1]);
        return found.substring(0, Math.min(found.length(), REASON_CHARS));
    }

    private static Path log(ProcessPlan plan, Path folder) {
        return folder.resolve(plan.logName() + ".log");
    }

    static List<String> command(ProcessPlan plan, Path result) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xms" + plan.heapBytes());
        command.add("-Xmx" + plan.heapBytes());
        command.add("-XX:MaxDirectMemorySize=" + plan.storeBytes());
        command.addAll(FLAGS);
        command.addAll(plan.kind().flags());
        command.addAll(plan.flags());
        String more = System.getProperty(MORE_FLAGS, "");
        command.addAll(Arrays.stream(more.split(",")).filter(flag -> !flag.isEmpty()).toList());
        if (Boolean.getBoolean(IGNORE_LOCK)) {
            command.add("-D" + IGNORE_LOCK + "=true");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(plan.arguments());
        command.addAll(List.of("--out", result.toString()));
        return command;
    }
}
