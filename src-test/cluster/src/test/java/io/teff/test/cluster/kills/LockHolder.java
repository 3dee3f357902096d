package io.teff.test.cluster.kills;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.service.Hold;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client in a process of its own that takes a lock, and acts under the lock until it has lost the lock. Times of all
 * processes of a machine are of one clock.
 */
final class LockHolder implements AutoCloseable {
    /** The lock. */
    static final String LOCK = "of one process";
    private static final long LEASE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(2);

    private final Process process;
    private final Path output;

    /**
     * Starts a process, which waits for the lock.
     *
     * @param folder for its output
     * @param entrance addresses of the superpeers
     */
    LockHolder(Path folder, List<String> entrance) throws IOException {
        output = folder.resolve("holder-" + System.nanoTime());
        List<String> command = new ArrayList<>(List.of(ChildProcess.java(), "-XX:TieredStopAtLevel=1", "-Xmx64m",
            "-cp", ChildProcess.classPath(), LockHolder.class.getName()));
        command.addAll(entrance);
        process = new ProcessBuilder(command).redirectOutput(output.toFile())
            .redirectError(folder.resolve("holder.log").toFile()).start();
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long number(String word) {
        Threads.await("the holder says " + word, () -> lines().stream().anyMatch(line -> line.startsWith(word)));
        String line = lines().stream().filter(it -> it.startsWith(word)).findFirst().orElseThrow();
        return Long.parseLong(line.substring(word.length()).strip());
    }

    /** Waits until the process has the lock. Returns the token. */
    long token() {
        return number("token ");
    }

    /** Waits until the process has found that the lock is lost. Returns when. */
    long lostNs() {
        return number("lost ");
    }

    /** Returns when the process has acted last. */
    long lastActNs() {
        return lines().stream().filter(line -> line.startsWith("acts ") && line.endsWith(" "))
            .mapToLong(line -> Long.parseLong(line.substring("acts ".length()).strip())).max().orElse(0);
    }

    /** Stops the process by SIGSTOP, or lets it go on by SIGCONT. */
    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).inheritIO().start().waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + ": " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Takes the lock, and acts. Arguments: addresses of the superpeers. */
    public static void main(String[] arguments) {
        try (ClusterStore store = ClusterStore.connect(ClientConfig.builder(arguments).lockLeaseNs(LEASE_NS).build())) {
            Hold hold = store.services().lock(LOCK).acquire(LONG_NS).orElseThrow();
            System.out.println("token " + hold.token());
            while (true) {
                long now = System.nanoTime();
                if (!hold.isHeld()) {
                    System.out.println("lost " + now);
                    return;
                }
                System.out.println("acts " + now + ' ');
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
