package io.teff.test.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The process of a {@link Worker}, as seen by its parent. All waits are limited by a number of checks, not by time: a
 * parent that is suspended together with its child must not report a hang.
 */
final class Child implements AutoCloseable {
    private static final long LOOK_MS = 5;
    private static final int LOOKS_PER_SECOND = 200;

    private final Process process;
    private final Thread listener;
    private final int hangLooks;
    private final List<String> lines = new ArrayList<>();

    private Child(Process process, int hangSeconds) {
        this.process = process;
        this.hangLooks = hangSeconds * LOOKS_PER_SECOND;
        this.listener = new Thread(this::listen, "child-listener");
        listener.setDaemon(true);
        listener.start();
    }

    /**
     * Starts a worker.
     *
     * @param plan the worker's task
     * @param before the command prefix, such as that of a tracer
     * @param heapMib its heap, which also limits its direct memory
     * @param hangSeconds the limit of a wait, after which it counts as a hang
     */
    static Child start(WorkerPlan plan, List<String> before, int heapMib, int hangSeconds) throws IOException {
        final List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "-Xmx" + heapMib + "m",
            "-Xshare:auto", "-XX:-UsePerfData", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Worker.class.getName()));
        command.addAll(plan.arguments());
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(plan.ledger().getParent().toFile());
        return new Child(builder.start(), hangSeconds);
    }

    private void listen() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException _) {
            // the process was killed while its line was read
        }
    }

    // ---- output ----

    /** Returns the output so far. */
    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Returns the text after a keyword in the output, or null. */
    @Nullable String said(String word) {
        return lines().stream().filter(line -> line.equals(word) || line.startsWith(word + " "))
            .map(line -> line.substring(Math.min(line.length(), word.length() + 1))).findFirst().orElse(null);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for a condition or the end of the child; returns false if neither occurs in time. */
    boolean await(BooleanSupplier condition) throws InterruptedException {
        for (int look = 0; look < hangLooks; look++) {
            if (condition.getAsBoolean() || process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** Lets the child run for some time, unless it ends earlier. */
    void letRun(double milliseconds) throws InterruptedException {
        process.waitFor((long) (milliseconds * TimeUnit.MILLISECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
    }

    // ---- end ----

    /** Kills the child immediately with SIGKILL. */
    void kill() throws InterruptedException {
        close();
        process.waitFor();
        listener.join();
    }

    /** Asks the child to stop; returns false if it does not. */
    boolean stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return awaitEnd();
    }

    /** Waits for the end of the child; returns false if it does not end in time. */
    boolean awaitEnd() throws InterruptedException {
        final boolean isEnded = await(() -> !process.isAlive());
        if (isEnded) {
            listener.join();
        }
        return isEnded;
    }

    int exitCode() {
        return process.exitValue();
    }

    /** Returns a thread dump of the child. */
    String threads() throws IOException, InterruptedException {
        final Path tool = Path.of(System.getProperty("java.home"), "bin", "jstack");
        final StringBuilder text = new StringBuilder();
        if (Files.isExecutable(tool)) {
            try (Stream<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())) {
                for (long pid : all.mapToLong(ProcessHandle::pid).toArray()) {
                    final Process look = new ProcessBuilder(tool.toString(), Long.toString(pid))
                        .redirectErrorStream(true).start();
                    try (BufferedReader reader = new BufferedReader(
                            new InputStreamReader(look.getInputStream(), StandardCharsets.UTF_8))) {
                        reader.lines().forEach(line -> text.append(line).append('\n'));
                    }
                    look.waitFor();
                }
            }
        }
        return text.toString();
    }

    /** Kills the child if it is still running, without waiting. */
    @Override
    public void close() {
        try (Stream<ProcessHandle> children = process.descendants()) {
            children.forEach(ProcessHandle::destroyForcibly);
        }
        process.toHandle().destroyForcibly();                   // unlike the process's own it leaves the pipe open
    }
}
