package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.service.Barrier;
import io.teff.cluster.service.ClusterNames;
import io.teff.cluster.service.ClusterServices;
import io.teff.cluster.service.Election;
import io.teff.cluster.service.Hold;
import io.teff.cluster.service.HoldLostException;
import io.teff.cluster.service.IdSource;
import io.teff.cluster.service.NamedLock;
import io.teff.cluster.service.NamedSemaphore;
import io.teff.cluster.service.Watch;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The services of a cluster with two clients, each by each. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClusterServicesTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private static Path folder;

    private static PeerCluster cluster;
    private static ClusterStore store;
    private static ClusterStore otherStore;
    private static ClusterServices services;
    private static ClusterServices others;

    @BeforeAll
    static void start() throws IOException {
        cluster = new PeerCluster("services-test-" + System.nanoTime(), folder, 1);
        cluster.id();
        store = cluster.connect();
        otherStore = cluster.connect();
        services = store.services();
        others = otherStore.services();
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        otherStore.close();
        cluster.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    // ---- names ----

    @Test
    void names_haveVersions() {
        ClusterNames names = services.names();
        long first = names.putIf("v/a", bytes("1"), ClusterNames.ABSENT);
        assertTrue(first > 0);
        assertEquals(-1 - first, others.names().putIf("v/a", bytes("2"), ClusterNames.ABSENT));
        long second = others.names().putIf("v/a", bytes("2"), first);
        assertTrue(second > first);
        ClusterNames.Entry entry = names.get("v/a").orElseThrow();
        assertEquals("2", text(entry.value()));
        assertEquals(second, entry.version());
        assertFalse(names.removeIf("v/a", first));
        assertTrue(names.removeIf("v/a", second));
        assertFalse(names.remove("v/a"));
        assertTrue(names.get("v/a").isEmpty());
        assertEquals(-1, names.putIf("v/a", bytes("3"), second), "there is no such name");
    }

    @Test
    void list_hasPages() {
        ClusterNames names = services.names();
        for (int i = 0; i < 300; i++) {
            names.put("list/" + (1_000 + i), bytes("" + i));
        }
        names.put("list0", bytes("behind"));
        List<String> all = new ArrayList<>();
        ClusterNames.Page page;
        String after = "";
        int pages = 0;
        do {
            page = others.names().list("list/", after);
            page.entries().forEach(entry -> all.add(entry.name()));
            after = all.getLast();
            pages++;
        } while (!page.isLast());
        assertEquals(300, all.size());
        assertEquals("list/1000", all.getFirst());
        assertEquals("list/1299", all.getLast());
        assertEquals(2, pages);
        assertTrue(names.list("no such prefix", "").isLast());
    }

    @Test
    void limits_areNamed() {
        ClusterNames names = services.names();
        assertThrows(IllegalArgumentException.class, () -> names.put("", bytes("")));
        assertThrows(IllegalArgumentException.class, () -> names.put("x".repeat(1_025), bytes("")));
        assertThrows(IllegalArgumentException.class, () -> names.put("\ud800", bytes("")));
        String message = assertThrows(IllegalArgumentException.class, () -> names.put("long", new byte[32_769]))
            .getMessage();
        assertTrue(message.contains("32769") && message.contains("32768"), message);
        names.put("\u20ac".repeat(341), new byte[32_768]);
        assertTrue(names.remove("\u20ac".repeat(341)));
        assertThrows(IllegalArgumentException.class, () -> services.semaphore("s", 0));
        assertThrows(IllegalArgumentException.class, () -> services.barrier("b", 1_025));
        names.put("no counter", bytes("text"));
        assertThrows(IllegalArgumentException.class, () -> services.counter("no counter").getAndAdd(1));
        assertThrows(IllegalArgumentException.class, () -> services.counter("no counter").get());
    }

    @Test
    void watch_hasEachChange() {
        ClusterNames names = services.names();
        Watch watch = others.names().watch("watch/", names.list("watch/", "").revision());
        long put = names.put("watch/a", bytes("1"));
        names.put("elsewhere", bytes("2"));
        names.remove("watch/a");
        Watch.Put first = assertInstanceOf(Watch.Put.class, watch.next(LONG_NS).orElseThrow());
        assertEquals(put, first.revision());
        assertEquals("1", text(first.value()));
        Watch.Removed second = assertInstanceOf(Watch.Removed.class, watch.next(LONG_NS).orElseThrow());
        assertEquals("watch/a", second.name());
        assertTrue(watch.next(0).isEmpty());
        Future<Optional<Watch.Event>> waiting;
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            waiting = executor.submit(() -> watch.next(LONG_NS));
            names.put("watch/b", bytes("3"));
        }
        assertEquals("3", text(assertInstanceOf(Watch.Put.class, waiting.resultNow().orElseThrow()).value()));
    }

    /** More changes than the superpeers keep: the watcher is told. */
    @Test
    void watch_thatWasAwayForTooLong_hasAGap() {
        ClusterNames names = services.names();
        long from = names.put("gap/a", bytes("0"));
        Watch watch = others.names().watch("gap/", from);
        byte[] big = new byte[ClusterNames.VALUE_BYTES_MAX];
        for (int i = 0; i < 300; i++) {
            names.put("gap/big", big);
        }
        long last = names.put("gap/a", bytes("last"));
        Watch.Gap gap = assertInstanceOf(Watch.Gap.class, watch.next(LONG_NS).orElseThrow());
        assertTrue(gap.revision() >= last);
        names.put("gap/a", bytes("later"));
        Watch.Put next = assertInstanceOf(Watch.Put.class, watch.next(LONG_NS).orElseThrow());
        assertEquals("later", text(next.value()));
        names.remove("gap/big");
    }

    @Test
    void boundNames_endWithTheirClient() {
        ClusterStore brief = cluster.connect();
        brief.services().names().putBound("bound/a", bytes("here"));
        assertTrue(services.names().get("bound/a").orElseThrow().isBound());
        brief.close();
        Threads.await("the name is gone", () -> services.names().get("bound/a").isEmpty());
    }

    @Test
    void temporaryNames_endWithTheirTime() {
        services.names().putFor("temporary/a", bytes("here"), TimeUnit.MILLISECONDS.toNanos(300));
        assertTrue(services.names().get("temporary/a").orElseThrow().isTemporary());
        Threads.await("the name is gone", () -> services.names().get("temporary/a").isEmpty());
    }

    // ---- queues ----

    @Test
    void lock_excludes_andItsTokensRise() {
        NamedLock lock = services.lock("lock");
        NamedLock same = others.lock("lock");
        Hold first = lock.acquire(LONG_NS).orElseThrow();
        first.check();
        assertTrue(same.acquire(0).isEmpty(), "it is held");
        assertTrue(same.acquire(TimeUnit.MILLISECONDS.toNanos(50)).isEmpty(), "it is held");
        Hold second;
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<Optional<Hold>> waiting = executor.submit(() -> same.acquire(LONG_NS));
            first.close();
            executor.shutdown();
            Threads.await("it is granted", waiting::isDone);
            second = waiting.resultNow().orElseThrow();
        }
        assertTrue(second.token() > first.token());
        assertFalse(first.isHeld());
        assertThrows(HoldLostException.class, first::check);
        second.close();
        second.close();
        lock.acquire(0).orElseThrow().close();
    }

    /** A client that ends frees what it holds, and the next in the queue has it. */
    @Test
    void lock_ofAClientThatEnds_isFreed() {
        ClusterStore brief = cluster.connect();
        Hold held = brief.services().lock("brief").acquire(0).orElseThrow();
        Optional<Hold> next;
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<Optional<Hold>> waiting = executor.submit(() -> services.lock("brief").acquire(LONG_NS));
            brief.close();
            executor.shutdown();
            Threads.await("it is granted", waiting::isDone);
            next = waiting.resultNow();
        }
        assertFalse(held.isHeld());
        assertTrue(next.orElseThrow().token() > held.token());
        next.orElseThrow().close();
    }

    @Test
    void semaphore_hasItsPermits() {
        NamedSemaphore semaphore = services.semaphore("semaphore", 3);
        Hold two = semaphore.acquire(2, 0).orElseThrow();
        Hold one = others.semaphore("semaphore", 3).acquire(1, 0).orElseThrow();
        assertTrue(semaphore.acquire(1, 0).isEmpty());
        assertThrows(IllegalArgumentException.class, () -> services.semaphore("semaphore", 4).acquire(1, 0));
        assertThrows(IllegalArgumentException.class, () -> semaphore.acquire(4, 0));
        two.close();
        Hold again = semaphore.acquire(2, 0).orElseThrow();
        again.close();
        one.close();
    }

    @Test
    void election_showsItsLeader() {
        Election election = services.election("election");
        assertTrue(election.leader().isEmpty());
        Hold first = election.lead(bytes("first"), LONG_NS).orElseThrow();
        assertEquals("first", text(others.election("election").leader().orElseThrow().value()));
        assertEquals(first.token(), others.election("election").leader().orElseThrow().token());
        assertEquals(first.token(), election.leaderAfter(first.token(), TimeUnit.MILLISECONDS.toNanos(30)).orElseThrow()
            .token(), "a vain wait");
        Hold second;
        try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
            Future<Optional<Election.Leader>> watcher = executor.submit(() ->
                others.election("election").leaderAfter(first.token(), LONG_NS));
            Future<Optional<Hold>> candidate = executor.submit(() ->
                others.election("election").lead(bytes("second"), LONG_NS));
            first.close();
            executor.shutdown();
            Threads.await("another leads", () -> candidate.isDone() && watcher.isDone());
            second = candidate.resultNow().orElseThrow();
        }
        assertTrue(second.token() > first.token());
        assertEquals("second", text(election.leader().orElseThrow().value()));
        second.close();
        assertTrue(election.leaderAfter(second.token(), LONG_NS).isEmpty());
    }

    @Test
    void barrier_givesAllValuesToAll() {
        Barrier barrier = services.barrier("barrier", 2);
        assertTrue(barrier.await(bytes("alone"), TimeUnit.MILLISECONDS.toNanos(20)).isEmpty());
        for (int round = 0; round < 3; round++) {
            try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
                Future<Optional<List<byte[]>>> one = executor.submit(() -> barrier.await(bytes("one"), LONG_NS));
                Future<Optional<List<byte[]>>> other = executor.submit(() ->
                    others.barrier("barrier", 2).await(bytes("other"), LONG_NS));
                executor.shutdown();
                Threads.await("both are there", () -> one.isDone() && other.isDone());
                List<String> seen = one.resultNow().orElseThrow().stream().map(ClusterServicesTest::text).toList();
                assertEquals(seen, other.resultNow().orElseThrow().stream().map(ClusterServicesTest::text).toList());
                assertEquals(Set.of("one", "other"), new HashSet<>(seen));
            }
        }
    }

    // ---- numbers ----

    @Test
    void counter_counts() {
        assertEquals(0, services.counter("counter").get());
        assertEquals(0, services.counter("counter").getAndAdd(5));
        assertEquals(5, others.counter("counter").getAndAdd(-7));
        assertEquals(-2, services.counter("counter").get());
        assertArrayEquals(new byte[] {-2, -1, -1, -1, -1, -1, -1, -1},
            services.names().get("counter").orElseThrow().value());
    }

    @Test
    void ids_areGivenOnce() {
        IdSource one = services.ids("ids", 10);
        IdSource other = others.ids("ids", 7);
        Set<Long> all = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            assertTrue(all.add(one.next()) && all.add(other.next()));
        }
        assertEquals(100 + 105, services.counter("ids").get());
    }
}
