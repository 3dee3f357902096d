package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.engine.collect.ChunkMap;
import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the program of the README, with a map, a queue and a lock, counts each order once while each node in turn is
 * killed by SIGKILL and started again. Method: the text of the program is started as a user starts it, again and again,
 * and each of its lines is checked.
 */
@Tag("processes")
@FullTier("60 s for a cluster of its own and ten starts of the program; ClusterKillTest kills peers, too")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class ReadmeProgramTest {
    private static final String MARK = "<!-- cluster program -->\n```java\n";
    private static final int SUPERPEERS = 3;
    private static final int PEERS = 3;
    private static final int ROUNDS = 20;
    private static final int ORDERS = 100;

    @TempDir
    private Path folder;

    @Test
    void eachOrder_isSoldOnce_whileEachNodeIsKilledInTurn() throws Exception {
        Path program = Files.writeString(folder.resolve("Main.java"), program());
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger runs = new AtomicInteger();
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, SUPERPEERS, PEERS);
             ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<?> running = thread.submit(() -> {
                while (!isOver.get()) {
                    runOnce(program, cluster.entrance(), runs.get());
                    runs.getAndIncrement();
                }
                return null;
            });
            try {
                killInTurn(cluster, running);
            } finally {
                isOver.set(true);
            }
            running.get();
            checkEnd(cluster, runs.get());
        }
    }

    /** Kills each node, lets the others take over, and starts the node again. */
    private static void killInTurn(LocalCluster cluster, Future<?> running) throws IOException {
        List<String> names = Stream.concat(cluster.superpeers().stream(), cluster.peers().stream()).toList();
        for (String name : names) {
            cluster.awaitBacked();
            if (running.isDone()) {
                return;                                         // the program has failed, and says why
            }
            cluster.kill(name);
            cluster.startTogether(List.of(name));
        }
        cluster.awaitBacked();
    }

    private void runOnce(Path program, List<String> entrance, int before) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx96m",
            "-XX:+UseSerialGC", "-cp", ChildProcess.classPath(), program.toString()));
        words.addAll(entrance);
        ChildProcess.Result result = ChildProcess.java(folder, words.toArray(String[]::new));
        assertEquals(0, result.exitCode(), () -> result.output() + result.errors());
        List<String> expected = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            expected.add("round " + round + ": " + (before * ROUNDS + round) * ORDERS + " sold, each order once");
        }
        assertEquals(expected, result.output().lines().toList(), result::errors);
    }

    private static void checkEnd(LocalCluster cluster, int runs) {
        assertTrue(runs > 0);
        try (ClusterStore store = cluster.connect()) {
            ChunkMap<String, Long> sold = store.map("sold", String.class, Long.class);
            for (int item = 0; item < 10; item++) {
                assertEquals((long) runs * ROUNDS * ORDERS / 10, sold.get("item " + item));
            }
            assertTrue(store.queue("orders", String.class).isEmpty());
        }
        System.out.println("each of " + runs * ROUNDS * ORDERS + " orders was sold once by " + runs + " programs");
    }

    private static String program() throws IOException {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("README.md"))) {
            at = at.getParent();
        }
        String page = Files.readString(at.resolve("README.md"));
        int from = page.indexOf(MARK) + MARK.length();
        assertTrue(from > MARK.length(), "the README has a program for a cluster");
        return page.substring(from, page.indexOf("```", from));
    }
}
