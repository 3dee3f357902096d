package io.teff.test.cluster.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import io.teff.cluster.ClusterStore;
import io.teff.test.kit.ChildProcess.Result;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the commands that move zones do so while clients work: no call fails, each addition is made once. Method: three
 * superpeers and four peers as processes, three threads of a client that add to counters, and the commands drain,
 * rebalance, roll and forget.
 */
@FullTier("a minute: seven processes, of which each is restarted")
@Tag("processes")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MovingZonesTest {
    private static final int THREADS = 3;
    private static final int COUNTERS = 2_000;
    private static final int REFUSED = 4;
    private static final int UNFINISHED = 3;
    private static final int REBALANCES_MAX = 10;

    @TempDir
    private Path folder;
    private CommandedCluster cluster;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final LongAdder added = new LongAdder();
    private final LongAccumulator longestNs = new LongAccumulator(Math::max, 0);
    private final List<Long> counters = new ArrayList<>();

    @BeforeEach
    void up() throws Exception {
        cluster = new CommandedCluster(folder.resolve("cluster"), LocalPorts.free());
        cluster.up("--peers", "4");
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    private Map<String, Object> json(int exitCode, String... command) throws IOException {
        Result result = cluster.teff(command);
        assertEquals(exitCode, result.exitCode(), () -> result.output() + result.errors());
        return JSON.std.mapFrom(result.output());
    }

    private void tell(String what) {
        System.out.println(what + ": longest call " + TimeUnit.NANOSECONDS.toMillis(longestNs.getThenReset()) + " ms, "
            + added.sum() + " additions so far");
    }

    private long add(ClusterStore store, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long count = 0;
        while (!isOver.get()) {
            long begunNs = System.nanoTime();
            store.fields().getAndAddLong(counters.get(random.nextInt(COUNTERS)), 8, 1);
            longestNs.accumulate(System.nanoTime() - begunNs);
            added.increment();
            count++;
        }
        return count;
    }

    @Test
    void zones_moveUnderLoad_andAllNodesAreRestarted_withoutALostAddition() throws Exception {
        String[] superpeers = new String[CommandedCluster.SUPERPEERS.size()];
        for (int i = 0; i < superpeers.length; i++) {
            superpeers[i] = "tcp:127.0.0.1:" + (cluster.port() + i);
        }
        try (ClusterStore store = ClusterStore.connect(superpeers);
             ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < COUNTERS; i++) {
                counters.add(store.create(new byte[64]));
            }
            List<Future<Long>> loads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                loads.add(threads.submit(() -> add(store, seed)));
            }
            try {
                CommandedCluster.await(() -> added.sum() > 1_000, "additions");
                longestNs.reset();
                play();
            } finally {
                isOver.set(true);
            }
            long sum = 0;
            for (Future<Long> load : loads) {
                sum += load.get();
            }
            long counted = 0;
            for (long counter : counters) {
                counted += store.fields().getLong(counter, 8, 0);
            }
            assertEquals(sum, counted, "each addition is made once");
        }
    }

    /** Peers claim zones of their own accord meanwhile, so moves of the command may be refused. */
    private void rebalance() throws IOException {
        Result result = cluster.teff("rebalance", "--look", "2", "--json", "--timeout", "240");
        for (int i = 0; i < REBALANCES_MAX && result.exitCode() == UNFINISHED; i++) {
            result = cluster.teff("rebalance", "--look", "2", "--json", "--timeout", "240");
        }
        assertEquals(0, result.exitCode(), result.output() + result.errors());
    }

    private void play() throws Exception {
        assertEquals("possible", json(0, "drain", "peer-2", "--check", "--json").get("state"));
        Map<String, Object> drained = json(0, "drain", "peer-2", "--json", "--timeout", "240");
        assertEquals("drained", drained.get("state"));
        assertEquals(0, drained.get("zones"));
        assertEquals(0, drained.get("copies"));
        tell("drain");
        Map<String, Object> refused = json(REFUSED, "drain", "peer-3", "--json");
        assertEquals("TOO_FEW_PEERS", refused.get("reason"));
        assertEquals("STILL_RUNNING", json(REFUSED, "forget", "peer-2", "--json").get("reason"));
        Object problem = CommandedCluster.node(cluster.status(), "peer-2").get("problem");
        assertTrue(String.valueOf(problem).contains("can be ended"), () -> "" + problem);
        cluster.succeed("drain", "peer-2", "--undo");
        json(0, "rebalance", "--dry-run", "--look", "1", "--json");
        rebalance();
        tell("rebalance");
        Map<String, Object> rolled = json(0, "roll", "--json", "--timeout", "240");
        assertEquals(7, rolled.get("restarted"), rolled::toString);
        tell("roll");
        System.out.println(rolled);
    }
}
