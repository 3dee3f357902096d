package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.service.Hold;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Starts;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster of an {@linkplain PreviousBuild earlier build} is rolled to this build under load, node by node, and back.
 * Clients of both builds work meanwhile: each call succeeds, each change is made once, and nothing is lost. Names, a
 * counter, a lock and collections from before are there afterwards.
 */
@Tag("processes")
@FullTier("3 minutes: a cluster of processes of two builds; ProgramChangeTest and golden files have the parts")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class VersionRollTest {
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 4;
    private static final int SEED = 1;
    /** Operations that must end between two steps. */
    private static final int BETWEEN = 200;
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int ENTRIES = 200;
    private static final Path PROCESSES = Path.of("/proc");
    /** A class of peers. A peer whose program has other bytes in its place ends at once. */
    private static final String CLASS_OF_PEERS = "io/teff/cluster/node/PeerNode.class";

    private Path folder;
    private String earlier;
    private Path jar;

    @BeforeEach
    void build() throws IOException, InterruptedException {
        PreviousBuild previous = new PreviousBuild();
        PreviousBuild.Found found = previous.find();
        Assumptions.assumeTrue(found.missing().isEmpty(), () -> "no earlier build to roll from: " + found.missing());
        long begunNs = System.nanoTime();
        jar = previous.jar(found.commit());
        earlier = previous.classPath(found.commit());
        folder = KillOutcome.newFolder();
        System.out.println("the earlier build is " + found.commit() + ", there after " + seconds(begunNs) + " s");
    }

    @Test
    void clusterOfTheEarlierBuild_isRolledToThisBuild_andBack_underLoad() throws Exception {
        LocalCluster.Size size = new LocalCluster.Size(SUPERPEERS, PEERS, "128m", 96);
        KillOutcome outcome;
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), size, earlier);
             KillLoad load = new KillLoad(cluster, SEED);
             Other other = new Other(cluster.entrance())) {
            cluster.awaitBacked();
            load.begin();
            try (ClusterStore store = patient(cluster);
                 Hold hold = store.services().lock("held").acquire(LONG_NS).orElseThrow()) {
                fill(store);
                check(cluster, List.of(), SUPERPEERS + PEERS);
                roll(cluster, load, "to this build", ChildProcess.classPath(), 0);
                check(cluster, cluster.names(), 0);
                compare(cluster, hold);
                refuse(cluster, load);
                check(cluster, cluster.names(), 0);
                roll(cluster, load, "back", ChildProcess.classPath(), 0, "--program", earlier);
                check(cluster, List.of(), SUPERPEERS + PEERS);
                compare(cluster, hold);
            }
            other.end();
            List<String> faults = load.end(cluster);
            KillOutcome.write(folder, load, faults);
            String text = String.format("%d operations, %d with an unknown outcome, the longest took %d ms; the client "
                + "of the earlier build: %s", load.operations(), load.unknownOutcomes(), load.longestMs(),
                other.said());
            outcome = new KillOutcome(faults, text, folder);
        }
        outcome.judge("-D" + PreviousBuild.FROM + "=COMMIT chooses the build");
    }

    private static ClusterStore patient(LocalCluster cluster) {
        return ClusterStore.connect(ClientConfig.builder(cluster.entrance().toArray(String[]::new))
            .lockLeaseNs(LONG_NS).timeoutNs(LONG_NS).build());
    }

    private static String seconds(long begunNs) {
        return String.format("%.1f", (System.nanoTime() - begunNs) / 1e9);
    }

    // ---- the roll ----

    /** Rolls all nodes, and waits until all zones have their backups. Returns what the command has said. */
    private static String roll(LocalCluster cluster, KillLoad load, String what, String program, int exitCode,
                               String... more) throws IOException, InterruptedException {
        load.await(BETWEEN);
        load.forgetGaps();
        long begunNs = System.nanoTime();
        String said = cluster.runOf(program, exitCode, Stream.concat(Stream.of("roll"), Stream.of(more))
            .toArray(String[]::new));
        String seconds = seconds(begunNs);
        cluster.awaitBacked();
        load.await(BETWEEN);
        assertEquals(List.of(), load.faults());
        System.out.println("rolled " + what + " in " + seconds + " s; no operation ended for " + load.gapMs()
            + " ms at most\n" + said);
        return said;
    }

    /** Rolls to a program that does not start, and to a program whose peers do not come up. */
    private void refuse(LocalCluster cluster, KillLoad load) throws IOException, InterruptedException {
        String said = roll(cluster, load, "to nothing", ChildProcess.classPath(), 1, "--program",
            folder.resolve("nothing").toString());
        assertTrue(said.contains("the supervisor does not start with the program"), said);
        Path broken = folder.resolve("broken").resolve(CLASS_OF_PEERS);
        Files.createDirectories(broken.getParent());
        Files.write(broken, new byte[4]);
        said = roll(cluster, load, "to a broken build", ChildProcess.classPath(), 4, "--program",
            folder.resolve("broken") + File.pathSeparator + ChildProcess.classPath());
        assertTrue(said.contains("peer-1 does not come up with the program")
            && said.contains("runs with the program of before again"), said);
    }

    /** Checks which nodes have this build, and how many have the earlier one. */
    private void check(LocalCluster cluster, List<String> later, int earlierCount) {
        if (Files.exists(PROCESSES)) {
            assertEquals(earlierCount, cluster.processes().stream().filter(this::isEarlier).count());
            assertEquals(later.size(), cluster.processes().stream().filter(process -> !isEarlier(process)).count());
        }
    }

    private boolean isEarlier(long process) {
        try {
            return Files.readString(PROCESSES.resolve(String.valueOf(process)).resolve("cmdline"))
                .contains(jar.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- what is there before ----

    private static void fill(ClusterStore store) {
        store.services().names().put("name/of", "value".getBytes(StandardCharsets.UTF_8));
        assertEquals(0, store.services().counter("count").getAndAdd(41));
        var map = store.map("map", Codecs.STRING, Codecs.LONG);
        var sorted = store.sortedMap("sorted", Codecs.LONG, Codecs.STRING);
        var list = store.list("list", Codecs.LONG);
        var queue = store.queue("queue", Codecs.LONG);
        for (long i = 0; i < ENTRIES; i++) {
            map.put("key " + i, i);
            sorted.put(i, "value " + i);
            list.add(i);
            queue.add(i);
        }
    }

    /** Compares by a new client, and by the earlier hold of the lock. */
    private static void compare(LocalCluster cluster, Hold hold) {
        hold.check();
        try (ClusterStore store = patient(cluster)) {
            assertEquals("value", new String(store.services().names().get("name/of").orElseThrow().value(),
                StandardCharsets.UTF_8));
            assertEquals(41, store.services().counter("count").get());
            assertFalse(store.services().lock("held").acquire(0).isPresent(), "the lock is held");
            var map = store.map("map", Codecs.STRING, Codecs.LONG);
            var sorted = store.sortedMap("sorted", Codecs.LONG, Codecs.STRING);
            LongStream.range(0, ENTRIES).forEach(i -> {
                assertEquals(Long.valueOf(i), map.get("key " + i));
                assertEquals("value " + i, sorted.get(i));
            });
            List<Long> all = LongStream.range(0, ENTRIES).boxed().toList();
            assertEquals(all, List.copyOf(store.list("list", Codecs.LONG)));
            assertEquals(all, List.copyOf(store.queue("queue", Codecs.LONG)));
        }
    }

    // ---- the client of the earlier build ----

    /** A process with the program of the earlier build. */
    private final class Other implements AutoCloseable {
        private final Process process;
        private final Path output = folder.resolve("earlier-client.out");

        Other(List<String> entrance) throws Exception {
            Path tests = Path.of(EarlierClient.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            Starts.JVM.count();
            process = new ProcessBuilder(Stream.concat(Stream.of(ChildProcess.java(), "-Xmx96m",
                    "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
                    earlier + File.pathSeparator + tests, EarlierClient.class.getName()), entrance.stream()).toList())
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
            Threads.await("the client of the earlier build works", () -> said().contains(EarlierClient.READY)
                || !process.isAlive());
        }

        String said() {
            try {
                return Files.exists(output) ? Files.readString(output).strip() : "";
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Ends the work; each call must have succeeded. */
        void end() throws IOException, InterruptedException {
            process.getOutputStream().close();
            assertTrue(process.waitFor(2, TimeUnit.MINUTES), this::said);
            assertEquals(0, process.exitValue(), this::said);
            assertTrue(said().contains(EarlierClient.ROUNDS), this::said);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
