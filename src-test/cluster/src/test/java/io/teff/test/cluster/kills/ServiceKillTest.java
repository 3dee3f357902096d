package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.service.ClusterServices;
import io.teff.cluster.service.Hold;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: services of a cluster of processes keep their promises while the leading superpeer is killed by SIGKILL, and a
 * process that holds a lock is stopped by SIGSTOP, or killed. Method: threads count and turn, each increment and each
 * turn is noted, and the histories are judged.
 */
@Tag("processes")
@FullTier("55 s for a cluster of its own; ServiceFailoverTest kills and stops in the same ways in one process")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ServiceKillTest {
    private static final int PEERS = 3;
    private static final int THREADS = 3;
    private static final int KILLS = 2;
    private static final int ROUNDS = 30;
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(2);

    @TempDir
    private Path folder;

    /** What a holder of the lock has seen. */
    private record Turn(long token, long fromNs, long toNs) {}

    private static ClusterStore connect(LocalCluster cluster) {
        return ClusterStore.connect(ClientConfig.builder(cluster.entrance().toArray(String[]::new))
            .lockLeaseNs(LONG_NS).timeoutNs(LONG_NS).build());
    }

    @Test
    void services_keepTheirPromises_whileProcessesAreKilledAndStopped() throws Exception {
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 3, PEERS);
             ClusterStore store = connect(cluster)) {
            leadersAreKilled(cluster);
            holderIsStopped(cluster, store.services());
            holderIsKilled(cluster, store.services());
        }
    }

    private static void leadersAreKilled(LocalCluster cluster) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        ConcurrentLinkedQueue<Turn> turns = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Long> numbers = new ConcurrentLinkedQueue<>();
        List<Future<?>> running = new ArrayList<>();
        List<ClusterStore> stores = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                ClusterStore store = connect(cluster);
                stores.add(store);
                running.add(threads.submit(() -> work(store.services(), isOver, turns, numbers)));
            }
            try {
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitRounds(turns, running);
                    String leader = cluster.awaitLeader(List.of());
                    cluster.kill(leader);
                    awaitRounds(turns, running);
                    cluster.startTogether(List.of(leader));
                }
                awaitRounds(turns, running);
            } finally {
                isOver.set(true);
            }
            for (Future<?> each : running) {
                each.get();
            }
            List<Long> sorted = numbers.stream().sorted().toList();
            for (int i = 0; i < sorted.size(); i++) {
                assertEquals(i, sorted.get(i), "each number once");
            }
            assertEquals(sorted.size(), stores.getFirst().services().counter("count").get());
            judge(turns.stream().sorted((one, other) -> Long.compare(one.token(), other.token())).toList());
        } finally {
            stores.forEach(ClusterStore::close);
        }
    }

    private static void awaitRounds(ConcurrentLinkedQueue<Turn> turns, List<Future<?>> running) {
        int next = turns.size() + ROUNDS;
        Threads.await("the clients go on", () -> turns.size() >= next || running.stream().anyMatch(Future::isDone));
    }

    private static Void work(ClusterServices services, AtomicBoolean isOver, ConcurrentLinkedQueue<Turn> turns,
                             ConcurrentLinkedQueue<Long> numbers) {
        while (!isOver.get()) {
            numbers.add(services.counter("count").getAndAdd(1));
            try (Hold hold = services.lock("turns").acquire(LONG_NS).orElseThrow()) {
                long from = System.nanoTime();
                if (hold.isHeld()) {
                    turns.add(new Turn(hold.token(), from, System.nanoTime()));
                }
            }
        }
        return null;
    }

    private static void judge(List<Turn> turns) {
        for (int i = 1; i < turns.size(); i++) {
            Turn before = turns.get(i - 1);
            Turn turn = turns.get(i);
            assertTrue(before.token() < turn.token(), "one token, two holders: " + turn);
            assertTrue(turn.fromNs() - before.toNs() >= 0, "two holders at one moment: " + before + ", " + turn);
        }
    }

    /** The stopped process holds the lock, as far as it knows; it finds out before it acts again. */
    private void holderIsStopped(LocalCluster cluster, ClusterServices services)
            throws IOException, InterruptedException {
        try (LockHolder holder = new LockHolder(folder, cluster.entrance())) {
            long token = holder.token();
            holder.signal("STOP");
            try (Hold hold = services.lock(LockHolder.LOCK).acquire(LONG_NS).orElseThrow()) {
                long grantedNs = System.nanoTime();
                holder.signal("CONT");
                assertTrue(holder.lostNs() - grantedNs > 0, "it was stopped until then");
                assertTrue(holder.lastActNs() - grantedNs < 0, "it acts under a lock that it has lost");
                assertTrue(hold.token() > token);
                hold.check();
            }
        }
    }

    private void holderIsKilled(LocalCluster cluster, ClusterServices services) throws IOException {
        long token;
        long killedNs;
        try (LockHolder holder = new LockHolder(folder, cluster.entrance())) {
            token = holder.token();
            killedNs = System.nanoTime();
        }
        try (Hold hold = services.lock(LockHolder.LOCK).acquire(LONG_NS).orElseThrow()) {
            assertTrue(hold.token() > token);
            System.out.println("the lock of a killed process was free after "
                + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killedNs) + " ms");
        }
    }
}
