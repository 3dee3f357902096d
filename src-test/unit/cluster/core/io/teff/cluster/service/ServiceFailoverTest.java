package io.teff.cluster.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.client.PausedClients;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.raft.SuperpeerTrio;
import io.teff.cluster.registry.RegistryState;
import io.teff.engine.os.Clock;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: the services keep their promises while leading superpeers are killed, and while a client is stopped. Method:
 * three superpeers with real consensus, which take snapshots often. Clients count, take ids, hold a lock and watch, and
 * the histories are judged: each number once, no two holders of one token, no two holders at one moment, no change that
 * a watcher has not seen.
 */
@FullTier("24 s: each kill takes a second until another superpeer leads; RegistryModelTest has the rules")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServiceFailoverTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    /** Of clients that are stopped. */
    private static final long LEASE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final int KILLS = 3;

    private SuperpeerTrio trio;
    private final List<ClusterStore> stores = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        trio = new SuperpeerTrio("failover-" + System.nanoTime(), 40);
    }

    @AfterEach
    void close() {
        stores.forEach(ClusterStore::close);
        trio.close();
    }

    /** Connects a client that lives: a busy machine does not starve it for so long. */
    private ClusterServices connect() {
        return connect(LONG_NS, Clock.SYSTEM);
    }

    private ClusterServices connect(long leaseNs, Clock clock) {
        ClusterStore store = PausedClients.connect(trio.client().lockLeaseNs(leaseNs).build(), clock);
        stores.add(store);
        return store.services();
    }

    /** A clock whose waiting threads do not go on while it is stopped, as those of a stopped process. */
    private static final class StoppedClock implements Clock {
        /** Whether the monotonic clock stands still, too, as that of a suspended machine. */
        private final boolean isSuspended;
        private boolean isStopped;
        private long stoppedNs;
        private long stoodNs;

        StoppedClock(boolean isSuspended) {
            this.isSuspended = isSuspended;
        }

        @Override
        public synchronized long nowNs() {
            return (isSuspended && isStopped ? stoppedNs : System.nanoTime()) - stoodNs;
        }

        @Override
        public long epochMs() {
            return System.currentTimeMillis();
        }

        synchronized void stop() {
            isStopped = true;
            stoppedNs = System.nanoTime();
        }

        synchronized void go() {
            stoodNs += isSuspended ? System.nanoTime() - stoppedNs : 0;
            isStopped = false;
            notifyAll();
        }

        @Override
        public void park(Object blocker, long ns) {
            Clock.super.park(blocker, ns);
            synchronized (this) {
                while (isStopped) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                }
            }
        }
    }

    /** What a holder of the lock has seen. */
    private record Turn(long token, long from, long to) {}

    /** A thread that counts, takes ids and turns until the test is over. */
    private static final class Worker {
        private final ClusterServices services;
        private final int number;
        private final AtomicBoolean isOver;
        private final AtomicLong progress;
        private final ConcurrentLinkedQueue<Turn> turns;
        private final List<Long> counted = new ArrayList<>();
        private final List<Long> ids = new ArrayList<>();

        Worker(ClusterServices services, int number, AtomicBoolean isOver, AtomicLong progress,
               ConcurrentLinkedQueue<Turn> turns) {
            this.services = services;
            this.number = number;
            this.isOver = isOver;
            this.progress = progress;
            this.turns = turns;
        }

        Void run() {
            IdSource source = services.ids("ids", 3);
            long version = ClusterNames.ABSENT;
            for (int round = 0; !isOver.get(); round++) {
                counted.add(services.counter("count").getAndAdd(1));
                ids.add(source.next());
                version = services.names().putIf("names/" + number, value(round), version);
                assertTrue(version > 0, "the name is changed here alone, and once");
                try (Hold hold = services.lock("lock").acquire(LONG_NS).orElseThrow()) {
                    long from = System.nanoTime();
                    if (hold.isHeld()) {
                        turns.add(new Turn(hold.token(), from, System.nanoTime()));
                    }
                }
                progress.incrementAndGet();
            }
            return null;
        }
    }

    private static byte[] value(int round) {
        return ByteBuffer.allocate(4).putInt(round).array();
    }

    @Test
    void leadersAreKilled_underCountersLocksAndWatches() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong progress = new AtomicLong();
        ConcurrentLinkedQueue<Turn> turns = new ConcurrentLinkedQueue<>();
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            workers.add(new Worker(connect(), i, isOver, progress, turns));
        }
        ClusterServices watching = connect();
        List<Future<?>> running = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            try {
                workers.forEach(worker -> running.add(threads.submit(worker::run)));
                running.add(threads.submit(() -> watch(watching, isOver, seen)));
                for (int kill = 0; kill < KILLS; kill++) {
                    awaitProgress(progress, running);
                    int leader = trio.leader();
                    trio.kill(leader);
                    awaitProgress(progress, running);
                    trio.start(leader);
                }
                awaitProgress(progress, running);
            } finally {
                isOver.set(true);
            }
            for (Future<?> each : running) {
                each.get(120, TimeUnit.SECONDS);
            }
        }
        List<Long> counted = workers.stream().flatMap(worker -> worker.counted.stream()).sorted().toList();
        for (int i = 0; i < counted.size(); i++) {
            assertEquals(i, counted.get(i), "each number once");
        }
        assertEquals(counted.size(), watching.counter("count").get());
        Set<Long> ids = new HashSet<>();
        workers.forEach(worker -> worker.ids.forEach(id -> assertTrue(ids.add(id), "id " + id + " twice")));
        judge(List.copyOf(turns));
        for (Worker worker : workers) {
            assertEquals(worker.counted.size() - 1, seen.get("names/" + worker.number), "the last change was seen");
        }
        List<RegistryState> states = trio.read(machine -> machine.registry().state());
        Threads.await("all superpeers have the same registry", () ->
            trio.read(machine -> machine.registry().state()).stream().distinct().count() == 1);
        assertFalse(states.isEmpty());
        trio.read(machine -> {
            machine.audit();
            return machine.version();
        });
    }

    private static void awaitProgress(AtomicLong progress, List<Future<?>> running) {
        long next = progress.get() + 30;
        Threads.await("the clients go on", () -> progress.get() >= next || running.stream().anyMatch(Future::isDone));
    }

    /** Follows the names; each name has each of its values, in order, unless there was a gap. */
    private static Void watch(ClusterServices services, AtomicBoolean isOver, Map<String, Integer> seen) {
        Watch watch = services.names().watch("names/", 0);
        long revision = 0;
        while (true) {
            boolean isLast = isOver.get();
            Watch.Event event = watch.next(TimeUnit.MILLISECONDS.toNanos(200)).orElse(null);
            if (event == null) {
                if (isLast) {
                    return null;
                }
                continue;
            }
            assertTrue(event.revision() > revision || event instanceof Watch.Gap, "in order");
            revision = event.revision();
            switch (event) {
                case Watch.Put put -> {
                    int round = ByteBuffer.wrap(put.value()).getInt();
                    Integer before = seen.put(put.name(), round);
                    assertEquals(before == null ? 0 : before + 1, round, put.name());
                }
                case Watch.Gap gap -> {
                    ClusterNames.Page page = services.names().list("names/", "");
                    assertTrue(page.revision() >= gap.revision());
                    page.entries().stream().filter(entry -> entry.version() <= gap.revision())
                        .forEach(entry -> seen.put(entry.name(), ByteBuffer.wrap(entry.value()).getInt()));
                    page.entries().stream().filter(entry -> entry.version() > gap.revision())
                        .forEach(entry -> seen.put(entry.name(), ByteBuffer.wrap(entry.value()).getInt() - 1));
                }
                case Watch.Removed removed -> throw new AssertionError("nothing is removed: " + removed);
            }
        }
    }

    private static void judge(List<Turn> turns) {
        List<Turn> sorted = turns.stream().sorted((one, other) -> Long.compare(one.token(), other.token())).toList();
        for (int i = 1; i < sorted.size(); i++) {
            assertTrue(sorted.get(i - 1).token() < sorted.get(i).token(), "one token, two holders");
            assertTrue(sorted.get(i).from() - sorted.get(i - 1).to() >= 0, "two holders at one moment: "
                + sorted.get(i - 1) + ", " + sorted.get(i));
        }
    }

    /** A client that is stopped for longer than its lease finds out before it acts, and its lock is free. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stoppedHolder_findsOut_andItsLockIsFreed(boolean isSuspended) {
        ClusterServices other = connect();
        StoppedClock clock = new StoppedClock(isSuspended);
        ClusterServices stopped = connect(LEASE_NS, clock);
        Hold held = stopped.lock("lock").acquire(LONG_NS).orElseThrow();
        stopped.names().putBound("bound", value(1));
        clock.stop();
        Hold next = other.lock("lock").acquire(LONG_NS).orElseThrow();
        assertTrue(other.names().get("bound").isEmpty());
        clock.go();
        assertThrows(HoldLostException.class, held::check, "its clock has gone on meanwhile");
        assertTrue(next.token() > held.token());
        next.check();
        held.close();
        assertTrue(stopped.lock("lock").acquire(0).isEmpty(), "the other still has it");
        next.close();
        Hold again = stopped.lock("lock").acquire(LONG_NS).orElseThrow();
        assertTrue(again.token() > next.token(), "in another session");
        again.close();
    }

    /** While no majority runs, calls end at their deadline, and a hold is not certain any more after its lease. */
    @Test
    void withoutAMajority_holdsBecomeUncertain_andComeBack() throws Exception {
        ClusterServices services = connect(LEASE_NS, Clock.SYSTEM);
        Hold held = services.lock("lock").acquire(LONG_NS).orElseThrow();
        int first = trio.leader();
        trio.kill(first);
        int second = trio.leader();
        trio.kill(second);
        Threads.await("the lease is over", () -> !held.isHeld());
        String message = assertThrows(HoldLostException.class, held::check).getMessage();
        assertTrue(message.contains("no superpeer has answered"), message);
        trio.start(first);
        trio.start(second);
        Threads.await("it is held again: its session has not ended, or has", () -> {
            if (held.isHeld()) {
                return true;
            }
            try {
                held.check();
                return true;
            } catch (HoldLostException e) {
                return e.getMessage().contains("session");
            }
        });
        held.close();
        services.lock("lock").acquire(LONG_NS).orElseThrow().close();
    }

    /** A call ends at its deadline, and its place is granted afterwards: the place is left, and others get the lock. */
    @Test
    void placeOfACallThatHasEnded_isLeft() throws IOException {
        ClusterStore brief = ClusterStore.connect(trio.client().lockLeaseNs(LEASE_NS)
            .timeoutNs(TimeUnit.SECONDS.toNanos(2)).build());
        stores.add(brief);
        brief.services().counter("count").getAndAdd(1);
        int leader = trio.leader();
        List<Integer> followers = IntStream.range(0, 3).filter(number -> number != leader).boxed().toList();
        followers.forEach(trio::kill);                          // the leader takes the step, and cannot commit it
        assertThrows(RuntimeException.class, () -> brief.services().lock("lock").acquire(LONG_NS));
        for (int follower : followers) {
            trio.start(follower);
        }
        connect().lock("lock").acquire(LONG_NS).orElseThrow().close();
    }

    /** Commands and snapshots of the superpeers are the same for services and for the rest. */
    @Test
    void allSuperpeers_areKilled_andStartAgain_withTheNames() throws IOException, ExecutionException,
        InterruptedException {
        ClusterServices services = connect();
        for (int i = 0; i < 60; i++) {                          // over a snapshot
            services.names().put("n" + i, value(i));
        }
        Hold held = services.lock("lock").acquire(LONG_NS).orElseThrow();
        long version = trio.read(MetadataMachine::version).getFirst();
        for (int i = 0; i < 3; i++) {
            trio.kill(i);
        }
        for (int i = 0; i < 3; i++) {
            trio.start(i);
        }
        assertEquals(59, ByteBuffer.wrap(services.names().get("n59").orElseThrow().value()).getInt());
        assertTrue(connect().lock("lock").acquire(0).isEmpty(), "held, unless the lease is over: " + held.isHeld()
            + ", version " + version);
    }
}
