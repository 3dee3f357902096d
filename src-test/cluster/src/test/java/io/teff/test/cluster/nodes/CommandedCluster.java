package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.terminal.local.UnservedZones;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A cluster on this machine that is used by the commands of {@code ./teff cluster} alone. Commands that start or end
 * processes have a JVM of their own, all others run in that of the test.
 */
final class CommandedCluster {
    static final long PATIENCE_S = 240;
    static final List<String> SUPERPEERS = List.of("superpeer-1", "superpeer-2", "superpeer-3");
    private static final String MAIN = "io.teff.cluster.terminal.cli.Terminal";

    private final Path home;
    private final int port;

    /**
     * Makes a cluster, which does not run yet.
     *
     * @param home its folder, in a folder that exists
     * @param port its first port
     */
    CommandedCluster(Path home, int port) {
        this.home = home;
        this.port = port;
    }

    /** Returns the folder. */
    Path home() {
        return home;
    }

    /** Returns the first port. */
    int port() {
        return port;
    }

    // ---- commands ----

    /** Returns the words of a command. */
    private List<String> words(String... command) {
        List<String> words = new ArrayList<>(List.of("cluster"));
        words.addAll(List.of(command));
        words.addAll(List.of("--dir", home.toString()));
        return words;
    }

    private List<String> java(String... command) {
        List<String> words = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), MAIN));
        words.addAll(words(command));
        return words;
    }

    /** Runs a command in a JVM of its own. */
    Result child(String... command) throws IOException, InterruptedException {
        return ChildProcess.java(home.getParent(), java(command).toArray(String[]::new));
    }

    /** Starts a command in a JVM of its own, whose output is read while it runs. */
    Process begin(String... command) throws IOException {
        List<String> words = java(command);
        words.addFirst(ChildProcess.java());
        return new ProcessBuilder(words).directory(home.getParent().toFile()).redirectErrorStream(true).start();
    }

    /** Runs a command in this JVM. */
    Result teff(String... command) {
        return TeffCommand.here(words(command).toArray(String[]::new));
    }

    /** Begins a command in this JVM that goes on until it is closed. */
    TeffCommand.Running follow(String... command) throws IOException {
        return TeffCommand.begin(words(command).toArray(String[]::new));
    }

    /** Runs a command in this JVM, which must succeed. */
    void succeed(String... command) {
        Result result = teff(command);
        assertEquals(0, result.exitCode(), result.errors());
    }

    /** Runs a command in this JVM, which must fail. */
    void fail(String expected, String... command) {
        checkFailure(expected, teff(command));
    }

    /** Checks that a command has failed. */
    static void checkFailure(String expected, Result result) {
        assertEquals(1, result.exitCode(), result.output());
        assertTrue(result.errors().contains(expected), result.errors());
    }

    /** Starts the cluster. */
    void up(String... more) throws IOException, InterruptedException {
        Starts.CLUSTER.count();
        Result result = child(Stream.concat(Stream.of("up", "--port", String.valueOf(port), "--memory", "64m"),
            Stream.of(more)).toArray(String[]::new));
        assertEquals(0, result.exitCode(), result.errors());
        assertTrue(result.output().contains("ClusterStore.connect(\"tcp:127.0.0.1:" + port + "\", \"tcp:127.0.0.1:"),
            result.output());
    }

    /** Starts a supervisor that takes nodes over. Nodes are down, so zones may wait for the copies of these nodes. */
    Result takeOver() throws IOException, InterruptedException {
        Result result = child("up");
        assertTrue(result.exitCode() == 0 || result.exitCode() == UnservedZones.EXIT_CODE, result.errors());
        assertEquals(result.exitCode() != 0, result.errors().contains("zones wait or are lost"), result.errors());
        return result;
    }

    /** Ends the cluster. */
    void down() throws IOException, InterruptedException {
        Result down = child("down");
        assertEquals(0, down.exitCode(), down.errors());
    }

    // ---- what runs ----

    /** Asks again if a node has no time for an answer on a busy machine: the command waits two seconds for it. */
    Map<String, Object> status() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Result result = teff("status", "--json");
        while (result.exitCode() == 1 || isSilent(result)) {
            String said = result.output() + result.errors();
            assertTrue(System.nanoTime() - end < 0, said);
            result = teff("status", "--json");
        }
        assertTrue(result.exitCode() != 2, result.errors());   // zones may lack backups now
        return JSON.std.mapFrom(result.output());
    }

    /** Returns whether a node runs and has not answered. */
    private static boolean isSilent(Result result) throws IOException {
        return ((List<?>) JSON.std.mapFrom(result.output()).get("nodes")).stream().map(node -> (Map<?, ?>) node)
            .anyMatch(node -> "up".equals(node.get("state")) && node.get("upMs") == null);
    }

    /** Waits until exactly one superpeer leads; none or another one may do so for moments on a busy machine. */
    Map<String, Object> awaitLeader() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Map<String, Object> status = status();
        while (leaders(status).size() != 1) {
            assertTrue(System.nanoTime() - end < 0, "not one superpeer leads: " + status);
            status = status();
        }
        return status;
    }

    /** Returns a node of a status. */
    static Map<?, ?> node(Map<String, Object> status, String name) {
        return ((List<?>) status.get("nodes")).stream().map(node -> (Map<?, ?>) node)
            .filter(node -> node.get("name").equals(name)).findFirst().orElseThrow();
    }

    /** Returns the superpeers that lead in a status. */
    static List<String> leaders(Map<String, Object> status) {
        return SUPERPEERS.stream().filter(name -> Boolean.TRUE.equals(node(status, name).get("leading"))).toList();
    }

    /** Checks that all superpeers are up, and that one leads. */
    void checkSuperpeers() throws IOException {
        Map<String, Object> status = awaitLeader();
        for (String name : SUPERPEERS) {
            assertEquals("up", node(status, name).get("state"), status::toString);
        }
    }

    /** The processes whose command lines name the folder. */
    List<String> processes() {
        String name = home.toString();
        return ProcessHandle.allProcesses().filter(process -> process.isAlive()
                && process.info().commandLine().filter(line -> line.contains(name)).isPresent())
            .map(process -> process.pid() + " " + process.info().commandLine().orElse("")).toList();
    }

    /** Returns the log of the supervisor. */
    String supervisorLog() {
        try {
            return Files.readString(home.resolve("supervisor.log"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for a text in the log of the supervisor. */
    void awaitLog(String text) {
        await(() -> supervisorLog().contains(text), "in the supervisor's log: " + text);
    }

    /** Waits until something holds. */
    static void await(BooleanSupplier condition, String what) {
        Threads.await(PATIENCE_S, () -> what, condition);
    }

    /** Kills the supervisor. */
    void killSupervisor() throws Exception {
        long pid = Long.parseLong(Files.readString(home.resolve("supervisor.run")).split(" ")[0]);
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().get(PATIENCE_S, TimeUnit.SECONDS);
    }
}
