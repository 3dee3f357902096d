package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A {@link TrafficNode} in a process of its own. Used by one thread. */
final class NodeProcess implements AutoCloseable {
    /** Delays below this may be caused by any machine. */
    private static final long SLACK_MS = 2_000;
    /** What ends late has passed through some threads and processes, each of which may have waited for its turn. */
    private static final long TURNS = 30;
    private static final long PATIENCE_S = 120;

    final int nid;
    final int start;
    final String address;
    private final Path errors;
    private final Process process;
    private final BufferedReader said;

    /**
     * The limits of a node's waits, in milliseconds.
     *
     * @param silence until a silent link counts as lost
     * @param away until a session without a link ends
     * @param send for room
     * @param request for an answer
     */
    record Times(long silence, long away, long send, long request) {}

    /** Starts a node; {@code within} is the prefix of the JVM's command. */
    NodeProcess(Path folder, List<String> within, int nid, int start, String listenAt, Times times) throws IOException {
        this.nid = nid;
        this.start = start;
        this.errors = folder.resolve("errors-" + nid + "-" + start);
        final List<String> command = new ArrayList<>(within);
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-Xmx256m",
            "-XX:TieredStopAtLevel=1", "-cp", ChildProcess.classPath(), TrafficNode.class.getName(),
            String.valueOf(nid), String.valueOf(start), listenAt, String.valueOf(times.silence),
            String.valueOf(times.away), String.valueOf(times.send), String.valueOf(times.request)));
        process = new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile()).start();
        said = process.inputReader();
        address = answer();
    }

    private String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String answer() {
        final String line = CompletableFuture.supplyAsync(() -> {
            try {
                return said.readLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }).orTimeout(PATIENCE_S, TimeUnit.SECONDS).join();
        assertNotNull(line, () -> "node " + nid + " has ended: " + errors());
        return line;
    }

    /** Sends a command to the node. */
    void say(String command) throws IOException {
        process.outputWriter().write(command + "\n");
        process.outputWriter().flush();
    }

    /** Sends the address of another node to this one, and lets it send there. */
    void sendTo(NodeProcess other) throws IOException {
        say("at " + other.nid + " " + other.address);
        say("send " + other.nid);
    }

    /** Ends the node's activity; all of its requests have ended afterwards. */
    void rest() throws IOException {
        say("rest");
        assertEquals("rests", answer(), this::errors);
    }

    /** Returns the node's counters. */
    Map<String, Long> figures() {
        try {
            say("figures");
        } catch (IOException e) {
            throw new AssertionError("node " + nid + " has ended: " + errors(), e);
        }
        final Map<String, Long> figures = new TreeMap<>();
        for (String each : answer().split(" ")) {
            final int at = each.indexOf('=');
            if (at > 0) {
                figures.put(each.substring(0, at), Long.parseLong(each.substring(at + 1)));
            }
        }
        return figures;
    }

    /** Returns one counter; 0 if it does not exist yet. */
    long figure(String name) {
        return figures().getOrDefault(name, 0L);
    }

    /** Returns the sum of all counters with the prefix and a node's number as suffix. */
    long sum(String prefix, int of) {
        return figures().entrySet().stream().filter(it -> it.getKey().startsWith(prefix + ".")
            && it.getKey().endsWith("." + of)).mapToLong(Map.Entry::getValue).sum();
    }

    /** Returns the number of messages sent to a node. */
    long sentTo(NodeProcess other) {
        long sum = 0;
        for (int lane = 1; lane <= TrafficNode.LANES; lane++) {
            sum += figure("sent." + other.nid + "." + lane);
        }
        return sum;
    }

    /** Sends a signal to the process. */
    void signal(String name) throws IOException, InterruptedException {
        run("kill", "-" + name, String.valueOf(process.pid()));
    }

    /** Kills it with SIGKILL. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Lets some time pass in which the process must not end. */
    void live(long ms) throws InterruptedException {
        assertFalse(process.waitFor(ms, TimeUnit.MILLISECONDS), () -> "node " + nid + " has ended: " + errors());
    }

    /** Waits for a condition. */
    void await(String what, BooleanSupplier isSo, Supplier<String> state) throws InterruptedException {
        final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "not after " + PATIENCE_S + " s: " + what + "\n"
                + state.get());
            live(50);
        }
    }

    /** Waits for further answers of a node. */
    void awaitAnswers(NodeProcess of, long more) throws InterruptedException {
        final long before = figure("answered." + of.nid);
        await(more + " answers of node " + of.nid, () -> figure("answered." + of.nid) >= before + more,
            () -> figures() + "\n" + of.nid + ": " + of.figures());
    }

    /** Returns the delays that may be caused by this machine, by a node's counters. */
    static long slackMs(Map<String, Long> figures) {
        return SLACK_MS + TURNS * figures.getOrDefault("stallMs", 0L);
    }

    /**
     * Checks the invariants of each node, whatever happens to others: nothing duplicated or changed, requests end in
     * time.
     */
    void check(NodeProcess of) {
        final Map<String, Long> its = figures();
        assertEquals(0, its.getOrDefault("doubled." + of.nid, 0L), () -> "doubled: " + its);
        assertEquals(0, its.getOrDefault("wrong." + of.nid, 0L), () -> "wrong: " + its);
        assertTrue(its.getOrDefault("lateMs." + of.nid, 0L) <= slackMs(its), () -> "requests end late: " + its);
        assertEquals(its.getOrDefault("asked." + of.nid, 0L),
            its.getOrDefault("answered." + of.nid, 0L) + sum("failed", of.nid), () -> "requests end once: " + its);
        for (String each : its.keySet()) {
            assertTrue(!each.startsWith("failed.") || !each.endsWith("." + of.nid)
                || each.matches("failed[.](TIMED_OUT|LOST|UNREACHABLE|FULL)[.].*"), () -> each + ": " + its);
        }
    }

    /** Checks that all sent messages arrive at another node, in order, within one session. */
    void checkAllArrive(NodeProcess at) throws InterruptedException {
        await("node " + at.nid + " has what node " + nid + " sent", () -> at.figure("got." + nid) == sentTo(at),
            () -> figures() + "\n" + at.figures());
        assertEquals(0, at.figure("backwards." + nid), "in order");
        assertEquals(0, figure("lost." + at.nid), () -> "sessions: " + figures());
    }

    /**
     * Checks that the unhandled messages are at most those reported as in doubt; only the end of a session may change
     * the order.
     */
    void checkDoubt(NodeProcess at) throws InterruptedException {
        await("node " + at.nid + " has what node " + nid + " sent, but what it was told is in doubt",
            () -> sentTo(at) - at.figure("got." + nid) <= figure("told." + at.nid),
            () -> figures() + "\n" + at.figures());
        assertTrue(at.figure("backwards." + nid) <= TrafficNode.LANES * figure("lost." + at.nid), "in order");
    }

    /** Runs a command that must succeed. */
    static void run(String... command) throws IOException, InterruptedException {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + output);
    }

    @Override
    public void close() {
        kill();
    }
}
