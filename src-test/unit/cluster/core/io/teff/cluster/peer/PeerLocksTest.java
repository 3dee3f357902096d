package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.LockLostException;
import io.teff.cluster.client.PausedClients;
import io.teff.cluster.client.PausedClients.PausableClock;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.test.kit.Lateness;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Locks that clients hold at real peers, which are killed, while clients pause, end, and wait for each other. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerLocksTest {
    private static final int PEERS = 4;
    private static final long LIMIT_S = 120;
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);
    /** A client renews its lease in time, as a rule also on a busy machine. */
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final byte[] OLD = {1, 1, 1, 1, 1, 1, 1, 1};
    private static final byte[] NEW = {2, 2, 2, 2, 2, 2, 2, 2};

    private final List<ClusterStore> opened = new ArrayList<>();

    @TempDir
    private Path folder;

    private String name;
    private PeerCluster cluster;

    @BeforeEach
    void start() throws IOException {
        name = "locks-test-" + System.nanoTime();
        cluster = new PeerCluster(name, folder, 2);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
    }

    @AfterEach
    void close() throws IOException {
        opened.forEach(ClusterStore::close);
        cluster.close();
    }

    /** Connects a client whose operations do not wait for locks. */
    private ClusterStore connect(long leaseNs, Clock with) {
        ClusterStore store = PausedClients.connect(ClientConfig.builder("loop:" + name + "-superpeer")
            .timeoutNs(LONG_NS).lockTimeoutNs(0).lockLeaseNs(leaseNs).build(), with);
        opened.add(store);
        return store;
    }

    private static byte[] read(ClusterStore store, long cid) {
        byte[] content = new byte[OLD.length];
        assertEquals(content.length, store.get(cid, content));
        return content;
    }

    private void failOver(long cid) throws IOException {
        Peer owner = cluster.owner(Cid.nid(cid));
        cluster.killAttested(cluster.numberOf(owner));
        cluster.owner(Cid.nid(cid));
    }

    @Test
    void holder_thatPausesBeyondItsLease_isRefusedAtTheOwner() throws Exception {
        Lateness.retried(() -> {
            PausableClock clock = new PausableClock();
            try {
                pauseBeyondALease(clock);
            } finally {
                clock.resume();
            }
        });
    }

    private void pauseBeyondALease(PausableClock clock) {
        ClusterStore paused = connect(SHORT_NS, clock);
        ClusterStore other = connect(HOUR_NS, Clock.SYSTEM);
        long cid = paused.create(OLD);
        assertEquals(Status.OK, paused.locks().lockWrite(cid, 0));
        assertEquals(Status.OK, paused.put(cid, OLD));
        assertEquals(Status.LOCKED, other.put(cid, NEW));
        clock.pause();
        assertEquals(Status.OK, other.locks().lockWrite(cid, LONG_NS), "when the lease is over");
        assertEquals(Status.OK, other.put(cid, NEW));
        assertEquals(Status.OK, other.locks().unlock(cid), "not even then");
        // The clock of the client stands still, so it does not know that it has lost the lock: the owner says so.
        assertTrue(paused.locks().isWriteHeld(cid));
        assertThrows(LockLostException.class, () -> paused.put(cid, OLD));
        clock.resume();
        assertThrows(LockLostException.class, () -> paused.fields().getAndAddLong(cid, 0, 1));
        assertThrows(LockLostException.class, () -> paused.get(cid, new byte[8]));
        assertThrows(LockLostException.class, () -> paused.remove(cid));
        assertThrows(LockLostException.class, () -> paused.locks().lockRead(cid, 0));
        assertFalse(paused.locks().isWriteHeld(cid));
        assertArrayEquals(NEW, read(other, cid));
        assertEquals(Status.NOT_HELD, paused.locks().unlock(cid));
        assertEquals(Status.OK, paused.put(cid, OLD), "without a lock, after it has learned that it has none");
    }

    @FullTier("3 s of real leases; ClusterSimulationTest renews locks in virtual time (Mix.LOCKS)")
    @Test
    void lock_ofAClientThatWorksOn_outlivesItsLease() throws Exception {
        Lateness.retried(this::outliveALease);
    }

    private void outliveALease() {
        ClusterStore holder = connect(SHORT_NS, Clock.SYSTEM);
        ClusterStore other = connect(SHORT_NS, Clock.SYSTEM);
        long cid = holder.create(OLD);
        assertEquals(Status.OK, holder.locks().lockWrite(cid, 0));
        assertEquals(Status.LOCKED, other.locks().lockWrite(cid, 2 * SHORT_NS));
        assertTrue(holder.locks().isWriteHeld(cid));
        assertEquals(Status.OK, holder.put(cid, NEW));
        assertEquals(Status.OK, holder.locks().unlock(cid));
        assertEquals(Status.OK, other.locks().lockWrite(cid, 0));
    }

    @Test
    void locks_outliveTheirOwner() throws IOException {
        ClusterStore holder = connect(HOUR_NS, Clock.SYSTEM);
        ClusterStore other = connect(HOUR_NS, Clock.SYSTEM);
        long cid = holder.create(OLD);
        long shared = holder.createNear(cid, OLD);
        assertEquals(Status.OK, holder.locks().lockWrite(cid, 0));
        assertEquals(Status.OK, holder.locks().lockRead(shared, 0));
        assertEquals(Status.OK, other.locks().lockRead(shared, 0));
        for (int round = 0; round < 2; round++) {
            failOver(cid);
            assertEquals(Status.LOCKED, other.locks().lockWrite(cid, 0));
            assertEquals(Status.LOCKED, other.put(cid, NEW));
            assertEquals(Status.LOCKED, other.put(shared, NEW));
            assertEquals(Status.LOCKED, holder.put(shared, NEW), "the other reads");
            assertEquals(Status.OK, holder.put(cid, OLD));
            assertArrayEquals(OLD, read(other, shared));
        }
        assertEquals(Status.OK, other.locks().unlock(shared));
        assertEquals(Status.OK, holder.locks().swapToWrite(shared, 0));
        assertEquals(Status.OK, holder.locks().unlock(cid));
        assertEquals(Status.OK, other.locks().lockWrite(cid, 0));
        assertEquals(Status.OK, other.put(cid, NEW));
        assertEquals(Status.LOCKED, holder.put(cid, OLD));
        assertEquals(OLD.length, holder.remove(shared));
        assertEquals(Status.ABSENT, holder.locks().unlock(shared));
    }

    @Test
    void locks_ofAClientThatEnds_areReleased() throws Exception {
        ClusterStore other = connect(HOUR_NS, Clock.SYSTEM);
        long cid = other.create(OLD);
        ClusterStore closed = connect(HOUR_NS, Clock.SYSTEM);
        assertEquals(Status.OK, closed.locks().lockWrite(cid, 0));
        closed.close();
        assertEquals(Status.OK, other.locks().lockWrite(cid, LONG_NS));
        assertEquals(Status.OK, other.locks().unlock(cid));
        ClusterStore living = connect(SHORT_NS, Clock.SYSTEM);
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            assertEquals(Status.OK, thread.submit(() -> living.locks().lockWrite(cid, 0)).get());
        }
        assertEquals(Status.OK, other.locks().lockWrite(cid, LONG_NS), "its thread has ended");
        assertArrayEquals(OLD, read(other, cid));
    }

    @FullTier("two new backups; ClusterSimulationTest has them under locks (Mix.LOCKS), and locks_outliveTheirOwner "
        + "stays")
    @Test
    void locks_areInTheLogOfANewBackup() throws IOException {
        ClusterStore holder = connect(HOUR_NS, Clock.SYSTEM);
        ClusterStore other = connect(HOUR_NS, Clock.SYSTEM);
        long cid = holder.create(OLD);
        int zone = Cid.nid(cid);
        assertEquals(Status.OK, holder.locks().lockWrite(cid, 0));
        Peer owner = cluster.owner(zone);
        List<Integer> old = cluster.rows().stream().filter(row -> row.zone() == zone).findFirst().orElseThrow()
            .backups().stream().map(backup -> backup.node().nid()).toList();
        for (Peer peer : cluster.peers()) {                     // one after the other, so that none is lost
            if (peer != owner && old.contains(peer.node().nid())) {
                int number = cluster.numberOf(peer);
                cluster.killAttested(number);
                cluster.start(number);
                PeerCluster.await(() -> cluster.rows().stream().filter(row -> row.zone() == zone)
                    .allMatch(row -> row.backups().size() == 2 && row.learners().isEmpty()), () -> "" + cluster.rows());
            }
        }
        failOver(cid);
        assertEquals(Status.LOCKED, other.put(cid, NEW));
        assertEquals(Status.OK, holder.put(cid, NEW));
    }

    @Test
    void batches_waitForTheLocksOfOthers_andPassOwnOnes() throws Exception {
        ClusterStore holder = connect(HOUR_NS, Clock.SYSTEM);
        ClusterStore other = connect(HOUR_NS, Clock.SYSTEM);
        long[] cids = {holder.create(OLD), holder.create(OLD), holder.create(OLD)};
        assertEquals(Status.OK, holder.locks().lockWrite(cids[1], 0));
        MemorySegment source = MemorySegment.ofArray(ByteBuffer.allocate(24).put(NEW).put(NEW).put(NEW).array());
        int[] lengths = {8, 8, 8};
        int[] statuses = new int[3];
        assertEquals(2, other.batch().put(cids, 0, source, lengths, statuses));
        assertArrayEquals(new int[] {Status.OK, Status.LOCKED, Status.OK}, statuses);
        assertEquals(16, other.batch().get(cids, 0, 3, new byte[24], 0, lengths));
        assertArrayEquals(new int[] {8, Status.LOCKED, 8}, lengths);
        assertThrows(StoreException.class, () -> other.batch().getLong(cids, 0, 3, 0, -1, new long[3]));
        assertEquals(3, holder.batch().put(cids, 0, source, new int[] {8, 8, 8}, statuses));
        long[] values = new long[3];
        holder.batch().getLong(cids, 0, 3, 0, -1, values);
        assertEquals(0x0202020202020202L, values[1]);
        assertEquals(24, holder.batch().get(cids, 0, 3, new byte[24], 0, lengths));
        assertEquals(3, holder.batch().remove(cids, 0, 3, new long[3]));
    }

    /** Reads, adds and writes under the lock, not atomically; returns how often. */
    private static long count(ClusterStore store, long cid, AtomicBoolean isOver, LongAdder rounds) {
        long count = 0;
        while (!isOver.get()) {
            if (store.locks().lockWrite(cid, LONG_NS) != Status.OK) {
                continue;
            }
            byte[] content = read(store, cid);
            ByteBuffer.wrap(content).putLong(0, ByteBuffer.wrap(content).getLong() + 1);
            assertEquals(Status.OK, store.put(cid, content));
            assertEquals(Status.OK, store.locks().unlock(cid));
            count++;
            rounds.increment();
        }
        return count;
    }

    @FullTier("clients until two owners have died; ClusterSimulationTest judges locks of all clients in virtual time "
        + "(Mix.LOCKS)")
    @Test
    void counters_thatAreChangedUnderLocks_areRight_whenOwnersAreKilled() throws Exception {
        ClusterStore one = connect(HOUR_NS, Clock.SYSTEM);
        ClusterStore two = connect(HOUR_NS, Clock.SYSTEM);
        long cid = one.create(new byte[8]);
        AtomicBoolean isOver = new AtomicBoolean();
        LongAdder rounds = new LongAdder();
        List<Future<Long>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (ClusterStore store : List.of(one, two, one, two)) {
                running.add(threads.submit(() -> count(store, cid, isOver, rounds)));
            }
            for (int kill = 0; kill < 2; kill++) {
                long next = rounds.sum() + 40;
                PeerCluster.await(() -> rounds.sum() >= next || running.stream().anyMatch(Future::isDone),
                    () -> "rounds " + rounds);
                cluster.killAttested(cluster.numberOf(cluster.owner(Cid.nid(cid))));
            }
            long last = rounds.sum() + 40;
            PeerCluster.await(() -> rounds.sum() >= last || running.stream().anyMatch(Future::isDone),
                () -> "rounds " + rounds);
            isOver.set(true);
            long sum = 0;
            for (Future<Long> next : running) {
                long count = next.get(LIMIT_S, TimeUnit.SECONDS);
                assertTrue(count > 0, "each thread gets its turn");
                sum += count;
            }
            assertEquals(sum, ByteBuffer.wrap(read(one, cid)).getLong());
        } finally {
            isOver.set(true);
        }
    }
}
