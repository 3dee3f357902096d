package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ChunkGroup;
import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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

/** Groups of changes by a client of real peers, which are killed meanwhile: all of a group or nothing, and once. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerGroupTest {
    private static final int PEERS = 4;
    private static final int THREADS = 3;
    private static final int ACCOUNTS = 6;
    private static final int FULL_LENGTH = 60_000;
    private static final long LIMIT_S = 120;
    private static final byte[] ABC = {1, 2, 3};
    private static final byte[] OTHER = {9, 8, 7, 6, 5};

    private final LongAdder rounds = new LongAdder();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @TempDir
    private Path folder;

    private PeerCluster cluster;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        String name = "group-test-" + System.nanoTime();
        cluster = new PeerCluster(name, folder, 2);
        for (int i = 0; i < PEERS; i++) {
            cluster.start(i);
        }
        cluster.awaitServed(PEERS * 6);
        store = ClusterStore.connect(ClientConfig.builder("loop:" + name + "-superpeer").lockTimeoutNs(0).build());
    }

    @AfterEach
    void close() throws IOException {
        isOver.set(true);
        store.close();
        cluster.close();
    }

    private byte[] content(long cid) {
        return store.chunks().get(cid).orElseThrow();
    }

    @Test
    void group_isDoneAsAWholeOrNotAtAll() throws IOException {
        long one = store.create(ABC);
        long two = store.createNear(one, OTHER);
        long three = store.createNear(one, ABC);
        assertTrue(store.group().ifContent(one, ABC).put(one, OTHER).ifPresent(two).put(two, new byte[FULL_LENGTH])
            .remove(three).commit());
        for (int round = 0; round < 2; round++) {
            assertArrayEquals(OTHER, content(one));
            assertEquals(FULL_LENGTH, store.size(two));
            assertEquals(Status.ABSENT, store.size(three));
            ChunkGroup refused = store.group().put(one, ABC).put(two, ABC).ifPresent(three);
            assertFalse(refused.commit());
            assertEquals(three, refused.refusedBy());
            assertThrows(IllegalStateException.class, refused::commit);
            refused = store.group().put(one, ABC).ifContent(two, ABC);
            assertFalse(refused.commit());
            assertEquals(two, refused.refusedBy());
            assertFalse(store.group().put(one, ABC).remove(three).commit(), "it is not there");
            assertTrue(store.group().ifAbsent(three).commit());
            if (round == 0) {
                cluster.killAttested(cluster.numberOf(cluster.owner(Cid.nid(one))));
            }
        }
        long sealed = store.createNear(one, ABC);
        assertEquals(Status.OK, store.seal(sealed));
        assertEquals(Status.READ_ONLY, assertThrows(StoreException.class,
            () -> store.group().put(one, ABC).put(sealed, OTHER).commit()).status());
        assertArrayEquals(OTHER, content(one));
    }

    @Test
    void group_thatCannotBe_isRefusedBeforeItIsSent() {
        long one = store.create(ABC);
        long elsewhere = Cid.of(Cid.nid(one) + 1, 7);
        String text = assertThrows(IllegalArgumentException.class,
            () -> store.group().put(one, ABC).put(elsewhere, ABC)).getMessage();
        assertTrue(text.contains("createNear"), text);
        assertThrows(IllegalArgumentException.class, () -> store.group().put(one, ABC).remove(one));
        assertThrows(IllegalArgumentException.class, () -> store.group().ifAbsent(one).ifContent(one, ABC));
        assertThrows(IllegalArgumentException.class,
            () -> store.group().put(one, new byte[ChunkGroup.BYTES_MAX]).ifContent(one, ABC));
        assertTrue(store.group().commit(), "an empty one");
        assertTrue(store.group().put(one, new byte[ChunkGroup.BYTES_MAX]).commit(), "the longest one");
        assertEquals(ChunkGroup.BYTES_MAX, store.size(one));
    }

    @Test
    void group_withLocks_respectsThem_andPresentsItsOwn() throws Exception {
        long one = store.create(ABC);
        long two = store.createNear(one, ABC);
        assertEquals(Status.OK, store.locks().lockWrite(one, 0));
        assertTrue(store.group().put(one, OTHER).put(two, OTHER).commit());
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            StoreException refused = other.submit(() -> assertThrows(StoreException.class,
                () -> store.group().put(two, ABC).put(one, ABC).commit())).get();
            assertEquals(Status.LOCKED, refused.status());
        }
        assertArrayEquals(OTHER, content(two));
        assertEquals(Status.OK, store.locks().lockWrite(two, 0));
        assertThrows(IllegalStateException.class, () -> store.group().put(one, ABC).put(two, ABC).commit());
        assertEquals(Status.OK, store.locks().unlock(two));
        assertTrue(store.group().remove(one).commit());
        assertEquals(Status.ABSENT, store.locks().unlock(one));
    }

    private static byte[] with(byte[] content, long delta) {
        long value = ByteBuffer.wrap(content).getLong() + delta;
        return ByteBuffer.allocate((int) (8 + Math.abs(value) % 5 * 100)).putLong(value).array();
    }

    /** Moves units between accounts, and counts in the same group; returns how often. */
    private long transfer(long[] accounts, long counter, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long done = 0;
        while (!isOver.get()) {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            byte[] debit = content(accounts[from]);
            byte[] credit = content(accounts[to]);
            byte[] count = content(counter);
            if (store.group().ifContent(accounts[from], debit).put(accounts[from], with(debit, -1))
                .ifContent(accounts[to], credit).put(accounts[to], with(credit, 1))
                .ifContent(counter, count).put(counter, with(count, 1)).commit()) {
                done++;
                rounds.increment();
            }
        }
        return done;
    }

    private void awaitRounds(List<Future<Long>> running, int count) {
        long end = rounds.sum() + count;
        PeerCluster.await(() -> rounds.sum() >= end || running.stream().anyMatch(Future::isDone),
            () -> "rounds " + rounds);
    }

    @FullTier("clients until two owners have died; ClusterSimulationTest has groups in virtual time (Mix.GROUPS)")
    @Test
    void groups_areDoneOnceAndWhole_whenOwnersAreKilled() throws Exception {
        long[] accounts = new long[ACCOUNTS];
        long counter = store.create(new byte[8]);
        for (int i = 0; i < ACCOUNTS; i++) {
            accounts[i] = store.createNear(counter, new byte[8]);
            assertEquals(Cid.nid(counter), Cid.nid(accounts[i]));
        }
        long sum = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long seed = i;
                running.add(threads.submit(() -> transfer(accounts, counter, seed)));
            }
            awaitRounds(running, 30);
            cluster.killAttested(cluster.numberOf(cluster.owner(Cid.nid(counter))));
            awaitRounds(running, 30);
            cluster.killAttested(cluster.numberOf(cluster.owner(Cid.nid(counter))));
            awaitRounds(running, 30);
            isOver.set(true);
            long done = 0;
            for (Future<Long> next : running) {
                done += next.get(LIMIT_S, TimeUnit.SECONDS);
            }
            assertEquals(done, ByteBuffer.wrap(content(counter)).getLong(), "each group was done once");
        } finally {
            isOver.set(true);
        }
        for (long account : accounts) {
            sum += ByteBuffer.wrap(content(account)).getLong();
        }
        assertEquals(0, sum, "no group was done in part");
    }
}
