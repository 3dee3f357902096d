package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: superpeers are added, replaced and removed while a cluster runs, and clients and peers go on. Method: a cluster
 * of processes with one superpeer grows to five, loses its first superpeer, replaces it, and shrinks to a
 * superpeer that did not exist at first. One client, which knows the first superpeer alone, adds to a counter all the
 * time. Then the cluster ends and starts again.
 */
@Tag("processes")
@FullTier("a cluster of processes with eight changes of its superpeers; SuperpeerTableTest and the mix SUPERPEERS of "
    + "the simulation have the changes in one process")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SuperpeerChangeTest {
    /** Longer than the lease and a recovery: a peer that lost its lease would be seen. */
    private static final long GAP_NS = TimeUnit.SECONDS.toNanos(15);

    @TempDir
    private Path folder;
    private final AtomicLong added = new AtomicLong();
    private final AtomicLong longestNs = new AtomicLong();

    @Test
    void superpeers_growToFive_areReplaced_andShrink_underLoad() throws IOException, InterruptedException {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 1, 3)) {
            cluster.awaitBacked();
            AtomicBoolean isOver = new AtomicBoolean();
            long cid;
            try (ClusterStore store = cluster.connect()) {
                cid = store.create(Long.BYTES);
                store.fields().putLong(cid, 0, 0);
                Thread load = Thread.ofPlatform().start(() -> count(store, cid, isOver));
                change(cluster);
                isOver.set(true);
                load.join();
                assertEquals(added.get(), store.fields().getLong(cid, 0, -1));
            }
            assertTrue(added.get() > 100 && longestNs.get() < GAP_NS, added + " additions, the longest took "
                + TimeUnit.NANOSECONDS.toMillis(longestNs.get()) + " ms");
            System.out.println("superpeers changed: " + added + " additions, the longest took "
                + TimeUnit.NANOSECONDS.toMillis(longestNs.get()) + " ms");
            cluster.down();
            assertTrue(cluster.upAgain().contains("ready after"));
            try (ClusterStore store = ClusterStore.connect(open().entrance().superpeers().toArray(String[]::new))) {
                assertEquals(added.get(), store.fields().getLong(cid, 0, -1));
                store.fields().putLong(cid, 0, 7);
            }
        }
    }

    private void count(ClusterStore store, long cid, AtomicBoolean isOver) {
        while (!isOver.get()) {
            long begunNs = System.nanoTime();
            store.fields().getAndAddLong(cid, 0, 1);
            longestNs.accumulateAndGet(System.nanoTime() - begunNs, Math::max);
            added.incrementAndGet();
        }
    }

    private void change(LocalCluster cluster) {
        for (int count = 2; count <= 5; count++) {
            String said = cluster.runHere(0, "superpeers", "add");
            assertTrue(said.contains("the cluster has " + count + " superpeers"), said);
        }
        assertTrue(cluster.runHere(1, "superpeers", "add").contains("more are of no use"));
        cluster.kill("superpeer-1");
        String said = cluster.runHere(0, "superpeers", "replace", "superpeer-1");
        assertTrue(said.contains("removed superpeer-1") && said.contains("added superpeer-6"), said);
        for (String name : List.of("superpeer-2", "superpeer-3", "superpeer-4", "superpeer-5")) {
            assertTrue(cluster.runHere(0, "superpeers", "remove", name).contains("removed " + name));
        }
        assertTrue(cluster.runHere(1, "superpeers", "remove", "superpeer-6").contains("is the only superpeer"));
        assertEquals(List.of("superpeer-6"), open().nodes().stream().filter(LocalNode::isSuperpeer)
            .map(LocalNode::name).toList());
        String listed = cluster.runHere(0, "superpeers");
        assertTrue(listed.contains("5  ") && listed.contains("counts, leads"), listed);
    }

    private ClusterFolder open() {
        return ClusterFolder.open(folder.resolve("cluster"));
    }
}
