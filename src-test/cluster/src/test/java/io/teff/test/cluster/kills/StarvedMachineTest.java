package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: while other processes of normal priority use every processor of the machine for a minute, no peer loses its
 * life at the default lease, no call fails, and the operations on each chunk are linearizable. Method: a cluster of
 * processes as {@code ./teff cluster up} makes it by default, a load, and two endless loops per processor beside it.
 */
@Tag("processes")
@LongTier("a minute with every processor busy")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class StarvedMachineTest {
    private static final long BUSY_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int OPERATIONS = 50;

    @TempDir
    private Path folder;

    @Test
    void processors_busyForAMinute_noPeerLosesItsLife() throws IOException, InterruptedException {
        long seed = Seed.first();
        System.out.println(Seed.reproduce(StarvedMachineTest.class, seed));
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 3, 4);
             KillLoad load = new KillLoad(cluster, seed)) {
            cluster.awaitBacked();
            Set<NodeRef> lives = cluster.lives();
            load.begin();
            load.forgetGaps();
            long operations = load.operations();
            List<Process> loops = new ArrayList<>();
            try {
                for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                    loops.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
                }
                long begun = System.nanoTime();
                while (System.nanoTime() - begun < BUSY_NS) {
                    load.await(OPERATIONS);
                    assertEquals(lives, cluster.lives(), cluster::logs);
                }
                assertTrue(loops.stream().allMatch(Process::isAlive), "the loops have run all the time");
            } finally {
                loops.forEach(Process::destroyForcibly);
            }
            System.out.println("every processor busy for a minute: " + (load.operations() - operations)
                + " operations, the longest time without one " + load.gapMs() + " ms, the longest call "
                + load.longestMs() + " ms; no life lost");
            assertEquals(List.of(), load.end(cluster), cluster::logs);
            assertEquals(lives, cluster.lives(), cluster::logs);
        }
    }
}
