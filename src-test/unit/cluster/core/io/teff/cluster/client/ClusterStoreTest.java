package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.LockLostException;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.Command;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** A client whose peers fail, are busy, hold answers back, and hand zones over. */
class ClusterStoreTest {
    private static final StoreConfig CONFIG = StoreConfig.builder().memoryLimitBytes(64L << 20)
        .lockTimeoutNs(20_000_000).build();
    private static final byte[] ABC = {1, 2, 3};
    private static final long LIMIT_S = 60;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private TestCell cell;
    private TestPeer first;
    private TestPeer second;
    private int zone;
    private ClusterStore store;

    @BeforeEach
    void openAll() throws IOException {
        cell = new TestCell();
        opened.add(cell);
        first = peer();
        second = peer();
        zone = cell.zones(first.node, 1);
        first.open(zone, CONFIG);
        store = connect(TimeUnit.SECONDS.toNanos(LIMIT_S));
    }

    private TestPeer peer() throws IOException {
        TestPeer peer = new TestPeer(cell);
        opened.addFirst(peer);
        return peer;
    }

    private ClusterStore connect(long timeoutNs) {
        ClusterStore connected = ClusterStore.connect(ClientConfig.builder(cell.address()).timeoutNs(timeoutNs)
            .build());
        opened.addFirst(connected);
        return connected;
    }

    /** Connects a client whose calls end after a second, and that has a session. */
    private ClusterStore connectBriefly() {
        ClusterStore brief = connect(TimeUnit.SECONDS.toNanos(1));
        long cid = store.create(ABC);
        Threads.await("a put", () -> isDone(() -> brief.put(cid, ABC)));    // a busy machine may take longer at first
        assertEquals(3, store.remove(cid));
        return brief;
    }

    private static boolean isDone(Executable call) {
        try {
            call.execute();
            return true;
        } catch (StoreException | UnknownOutcomeException _) {
            return false;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable next : opened) {
            next.close();
        }
        other.shutdown();
        assertTrue(other.awaitTermination(LIMIT_S, TimeUnit.SECONDS));
    }

    private <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT_S, TimeUnit.SECONDS);
    }

    /** Starts a call whose answer the first peer holds back. */
    private <T> Future<T> held(Callable<T> call) {
        first.hold();
        Future<T> future = other.submit(call);
        Threads.await("the held answer", () -> first.held() == 1);
        return future;
    }

    private void moveZone() {
        cell.fail(first.node, zone, second.node);
        second.serve(zone, first.release(zone));
    }

    // ---- zones that do not exist ----

    @Test
    @Timeout(LIMIT_S / 2)
    void chunk_ofAZoneThatWasNeverGiven_isAbsentAtOnce() {
        long cid = Cid.of(zone + 7, 3);
        assertEquals(Status.ABSENT, store.get(cid, new byte[8]));
        assertEquals(Status.ABSENT, store.put(cid, ABC));
        assertEquals(Status.ABSENT, store.remove(cid));
        assertEquals(Status.ABSENT, store.size(cid));
        assertEquals(-5, store.fields().getLong(cid, 0, -5));
        assertFalse(store.exists(cid));
        long known = store.create(ABC);
        long[] sizes = new long[3];
        store.batch().size(new long[] {cid, known, Cid.of(zone + 9, 1)}, 0, 3, sizes);
        assertArrayEquals(new long[] {Status.ABSENT, 3, Status.ABSENT}, sizes);
    }

    @Test
    @Timeout(LIMIT_S / 2)
    void chunk_ofAZoneThatTheTablesDoNotHaveYet_isFound() throws Exception {
        cell.freeze();                                          // the superpeer that is asked for tables lags behind
        int next = cell.zones(second.node, 1);
        second.open(next, CONFIG);
        long cid = second.serving(next).create(ABC);
        Future<Long> size = other.submit(() -> store.size(cid));
        Threads.await("a command", () -> cell.commands.get() > 0);
        assertFalse(size.isDone());
        cell.thaw();
        assertEquals(3, get(size));
    }

    // ---- redirects and lost peers ----

    @Test
    void zone_thatHasMoved_isFoundByTheRowInTheAnswer() {
        long cid = store.create(ABC);
        cell.freeze();
        moveZone();
        first.know(cell.row(zone));
        assertEquals(3, store.get(cid, new byte[8]));
        long[] cids = {cid, cid};
        assertEquals(2, store.batch().size(cids, 0, 2, new long[2]));
    }

    @Test
    void batch_whoseZoneHasMoved_isRedirected() throws Exception {
        long[] cids = new long[10];
        assertEquals(10, store.batch().create(8, cids, 0, 10, false));
        cell.freeze();
        moveZone();
        first.know(cell.row(zone));
        int[] lengths = new int[10];
        assertEquals(80, store.batch().get(cids, 0, 10, new byte[80], 0, lengths));
        assertEquals(8, lengths[9]);
    }

    @Test
    void zone_thatHasMoved_isFoundByTheTables() throws Exception {
        long cid = store.create(ABC);
        second.serve(zone, first.release(zone));
        Future<Integer> read = other.submit(() -> store.get(cid, new byte[8]));
        cell.fail(first.node, zone, second.node);
        assertEquals(3, get(read));
    }

    @Test
    void put_whosePeerFails_isRepeatedAtTheNextOwner() throws Exception {
        long cid = store.create(ABC);
        Future<Integer> put = held(() -> store.put(cid, new byte[5]));
        ChunkStore zoneStore = first.release(zone);
        first.cut();
        cell.fail(first.node, zone, second.node);
        second.serve(zone, zoneStore);
        assertEquals(Status.OK, get(put));
        assertEquals(1, second.changes.get());
        assertEquals(5, store.size(cid));
    }

    @Test
    void put_whosePeerFallsSilent_isRepeatedAtTheNextOwner() throws Exception {
        long cid = store.create(ABC);
        Future<Integer> put = held(() -> store.put(cid, new byte[5]));
        moveZone();
        assertEquals(Status.OK, get(put));
        assertEquals(1, second.changes.get());
    }

    @Test
    void add_whosePeerFails_isDoneOnce() throws Exception {
        long cid = store.create(8);
        store.fields().putLong(cid, 0, 7);
        Future<Long> add = held(() -> store.fields().getAndAddLong(cid, 0, 1));
        moveZone();
        assertEquals(7, get(add));
        assertEquals(8, store.fields().getLong(cid, 0, -1));
    }

    @Test
    void add_whoseConnectionIsLost_isDoneOnce() throws Exception {
        long cid = store.create(8);
        Future<Long> add = held(() -> store.fields().getAndAddLong(cid, 0, 1));
        first.restartNetwork();
        assertEquals(0, get(add));
        assertEquals(1, store.fields().getLong(cid, 0, -1));
    }

    @Test
    void everyChange_whoseAnswerIsLost_hasTheResultOfItsOnlyExecution() {
        long cid = store.create(8);
        long other = store.create(ABC);
        first.depose(1);
        long created = store.create(ABC);
        first.depose(1);
        assertEquals(1, store.fields().compareAndSetLong(cid, 0, 0, 5));
        first.depose(1);
        assertEquals(5, store.fields().getAndAddLong(cid, 0, 2));
        first.depose(1);
        assertEquals(3, store.remove(other));
        first.depose(1);
        assertEquals(Status.ABSENT, store.remove(other), "a change that was impossible has no effect later");
        long reserved = store.ids().reserve();
        first.depose(1);
        assertEquals(Status.OK, store.ids().createAt(reserved, ABC));
        assertEquals(Status.EXISTS, store.ids().createAt(reserved, ABC));
        long[] cids = {cid, created, reserved};
        long[] sizes = new long[3];
        first.depose(1);
        assertEquals(3, store.batch().remove(cids, 0, 3, sizes));
        assertArrayEquals(new long[] {8, 3, 3}, sizes);
        first.depose(1);
        assertEquals(100, store.batch().create(4, new long[100], 0, 100, true));
        first.depose(1);
        assertEquals(100, store.batch().create(4, new long[100], 0, 100, false));
        assertEquals(9, first.deposed.get());
        assertEquals(200, first.chunks(zone));
    }

    // ---- sessions ----

    @Test
    void session_thatHasEnded_isFollowedByAnotherOne() {
        long cid = store.create(8);
        cell.endSessions();
        assertEquals(0, store.fields().getAndAddLong(cid, 0, 1), "nothing was done before");
        cell.endSessions();
        assertEquals(2, store.batch().remove(new long[] {cid, store.create(ABC)}, 0, 2, new long[2]));
        assertEquals(0, first.chunks(zone));
    }

    @Test
    void session_thatEndsWhileAChangeIsUnderWay_leavesItsOutcomeUnknown() throws Exception {
        long cid = store.create(8);
        Future<Long> add = held(() -> store.fields().getAndAddLong(cid, 0, 1));
        cell.endSessions();
        first.restartNetwork();
        ExecutionException thrown = assertThrows(ExecutionException.class, () -> get(add));
        assertInstanceOf(UnknownOutcomeException.class, thrown.getCause());
        assertTrue(thrown.getCause().getMessage().contains("session"), thrown.getCause().getMessage());
        assertEquals(1, store.fields().getAndAddLong(cid, 0, 1), "it was done, and the next one is, too");
        Future<Integer> batch = held(() -> store.batch().remove(new long[] {cid}, 0, 1, new long[1]));
        cell.endSessions();
        first.restartNetwork();
        assertInstanceOf(UnknownOutcomeException.class,
            assertThrows(ExecutionException.class, () -> get(batch)).getCause());
        assertEquals(Status.ABSENT, store.size(cid));
    }

    @Test
    void session_endsWithItsClient() {
        long cid = store.create(8);
        ClusterStore another = connect(TimeUnit.SECONDS.toNanos(LIMIT_S));
        assertEquals(Status.OK, another.put(cid, ABC));
        assertEquals(2, cell.sessions());
        another.close();
        Threads.await("the end of a session", () -> cell.sessions() == 1);
    }

    @Test
    void changesOfManyThreads_waitForSlots() throws Exception {
        long counter = store.create(8);
        try (ExecutorService threads = Executors.newFixedThreadPool(100)) {
            List<Future<Long>> adds = new ArrayList<>();
            first.hold();
            for (int i = 0; i < 100; i++) {
                adds.add(threads.submit(() -> store.fields().getAndAddLong(counter, 0, 1)));
            }
            Threads.await("64 held answers", () -> first.held() == 64);
            first.letGo(Verdict.SERVED);
            Set<Long> seen = new HashSet<>();
            for (Future<Long> add : adds) {
                seen.add(get(add));
            }
            assertEquals(100, seen.size());
        }
    }

    @Test
    void deposedAnswer_isNoAnswer() throws Exception {
        long cid = store.create(8);
        first.depose(1);
        assertEquals(8, store.get(cid, new byte[8]));
        assertEquals(1, first.deposed.get());
        first.depose(1);
        assertEquals(Status.OK, store.put(cid, ABC));
        first.depose(1);
        int[] lengths = new int[2];
        assertEquals(6, store.batch().get(new long[] {cid, cid}, 0, 2, new byte[8], 0, lengths));
        assertEquals(3, first.deposed.get());
        first.depose(1);
        assertEquals(0, store.fields().compareAndSetInt(store.create(8), 4, 77, 1));
    }

    @Test
    void zoneThatWaitsForACopy_andIsLost_endsCalls() {
        long cid = store.create(ABC);
        ClusterStore brief = connectBriefly();
        opened.remove(second);
        cell.apply(new Command.Ended(second.node));
        second.close();
        first.release(zone).close();
        cell.apply(new Command.Ended(first.node));
        Threads.await("the newest tables", () -> {
            StoreException waits = assertThrows(StoreException.class, () -> brief.get(cid, ABC));
            assertEquals(Category.RETRY, waits.category());
            return waits.toString().contains("waits for the copy of " + second.node);
        });
        cell.apply(new Command.AcceptLoss(zone, cell.row(zone).epoch(), 0, 0));
        assertEquals(Category.DEGRADED, assertThrows(StoreException.class, () -> store.get(cid, ABC)).category());
    }

    // ---- busy peers, deadlines ----

    @Test
    void busyPeer_isAskedAgain() {
        long cid = store.create(ABC);
        first.busy.set(3);
        assertEquals(Status.OK, store.put(cid, new byte[9]));
        assertEquals(0, first.busy.get());
        long[] cids = {cid, store.create(ABC), store.create(ABC)};
        first.busy.set(2);
        int[] statuses = new int[3];
        assertEquals(3, store.batch().resize(cids, 0, new long[] {4, 5, 6}, statuses));
        assertEquals(6, store.size(cids[2]));
        first.busy.set(2);
        assertEquals(5, store.batch().create(4, new long[5], 0, 5, false));
        first.busy.set(1);
        assertEquals(0, store.fields().getAndAddLong(store.create(8), 0, 1), "nothing was done before");
    }

    @Test
    void deadline_endsACallThatHasChangedNothing() {
        long cid = store.create(8);
        ClusterStore brief = connectBriefly();
        first.busy.set(Integer.MAX_VALUE);
        assertEquals(Category.RETRY, assertThrows(StoreException.class, () -> brief.put(cid, ABC)).category());
        assertEquals(Category.RETRY, assertThrows(StoreException.class,
            () -> brief.fields().getAndAddLong(cid, 0, 1)).category());
        assertEquals(Category.RETRY, assertThrows(StoreException.class,
            () -> brief.batch().create(3, new long[4], 0, 4, false)).category());
        first.busy.set(0);
        first.hold();
        assertEquals(Category.RETRY, assertThrows(StoreException.class, () -> brief.get(cid, ABC)).category());
        first.letGo(Verdict.SERVED);
        first.release(zone).close();
        assertEquals(Category.RETRY, assertThrows(StoreException.class, () -> brief.size(cid)).category());
        assertEquals(Category.RETRY, assertThrows(StoreException.class,
            () -> brief.batch().size(new long[] {cid}, 0, 1, new long[1])).category());
    }

    @Test
    void deadline_endsACallThatMayHaveChangedSomething() {
        long cid = store.create(8);
        ClusterStore brief = connectBriefly();
        first.hold();
        assertThrows(UnknownOutcomeException.class, () -> brief.put(cid, ABC));
        assertThrows(UnknownOutcomeException.class, () -> brief.fields().compareAndSetLong(cid, 0, 0, 1));
        assertThrows(UnknownOutcomeException.class, () -> brief.batch().remove(new long[] {cid}, 0, 1, new long[1]));
        first.letGo(Verdict.SERVED);
    }

    @Test
    void connect_withoutSuperpeers_endsAtTheDeadline() {
        ClientConfig nobody = ClientConfig.builder("loop:nowhere").timeoutNs(200_000_000).build();
        assertEquals(Category.RETRY, assertThrows(StoreException.class, () -> ClusterStore.connect(nobody)).category());
    }

    @Test
    void interrupt_doesNotEndACall_andIsKept() throws Exception {
        long cid = store.create(ABC);
        Thread[] caller = new Thread[1];
        Future<Boolean> read = held(() -> {
            caller[0] = Thread.currentThread();
            assertEquals(3, store.get(cid, new byte[3]));
            return Thread.interrupted();
        });
        caller[0].interrupt();
        Threads.await("the kept interrupt", () -> !caller[0].isInterrupted());
        first.letGo(Verdict.SERVED);
        assertTrue(get(read));
    }

    // ---- close ----

    @Test
    void close_endsPendingCalls() throws Exception {
        long cid = store.create(8);
        for (Callable<Object> call : List.<Callable<Object>>of(() -> store.get(cid, ABC))) {
            Future<Object> pending = held(call);
            store.close();
            assertInstanceOf(StoreClosedException.class,
                assertThrows(ExecutionException.class, () -> get(pending)).getCause());
        }
        first.letGo(Verdict.SERVED);
    }

    @Test
    void close_endsCallsThatWaitForAnOwner() throws Exception {
        long cid = store.create(8);
        cell.apply(new Command.Ended(first.node));
        first.release(zone).close();                            // or the call could be served yet
        first.cut();
        AtomicReference<Thread> caller = new AtomicReference<>();
        Future<Integer> pending = other.submit(() -> {
            caller.set(Thread.currentThread());
            return store.get(cid, new byte[8]);
        });
        Threads.await("the call waits",
            () -> caller.get() != null && caller.get().getState() == Thread.State.TIMED_WAITING);
        store.close();
        assertInstanceOf(StoreClosedException.class,
            assertThrows(ExecutionException.class, () -> get(pending)).getCause());
    }

    // ---- places of new chunks ----

    @Test
    void creates_areSpreadOverAllOpenZones() {
        int more = cell.zones(second.node, 3);
        for (int i = 0; i < 3; i++) {
            second.open(more + i, CONFIG);
        }
        Threads.await("all open zones", () -> {
            Set<Integer> used = new HashSet<>();
            for (int i = 0; i < 8; i++) {
                used.add(Cid.nid(store.create(ABC)));
            }
            return used.size() == 4;
        });
        long[] cids = new long[5000];
        assertEquals(5000, store.batch().create(8, cids, 0, 5000, false));
        Set<Integer> used = new HashSet<>();
        for (long cid : cids) {
            used.add(Cid.nid(cid));
        }
        assertEquals(4, used.size());
        int[] lengths = new int[5000];
        assertEquals(40_000, store.batch().get(cids, 0, 5000, new byte[40_000], 0, lengths));
        long[] removed = new long[5000];
        assertEquals(5000, store.batch().remove(cids, 0, 5000, removed));
    }

    @Test
    void createNear_usesTheZoneOfTheNeighbour_untilItIsFull() {
        int more = cell.zones(second.node, 1);
        second.open(more, CONFIG);
        long neighbour = store.create(ABC);
        for (int i = 0; i < 4; i++) {
            assertEquals(Cid.nid(neighbour), Cid.nid(store.createNear(neighbour, ABC)));
        }
        Threads.await("another zone", () -> Cid.nid(store.create(ABC)) != Cid.nid(neighbour));
        byte[] content = new byte[1 << 20];
        long cid = store.createNear(neighbour, content);
        for (int i = 0; i < 200 && Cid.nid(cid) == Cid.nid(neighbour); i++) {
            cid = store.createNear(neighbour, content);
        }
        assertNotEquals(Cid.nid(neighbour), Cid.nid(cid));
        assertTrue(cid > 0);
    }

    @Test
    void full_isTheResultOnlyIfAllOwnersAreFull() {
        int more = cell.zones(second.node, 1);
        second.open(more, CONFIG);
        Threads.await("a chunk in the new zone", () -> Cid.nid(store.create(ABC)) == more);
        byte[] content = new byte[1 << 20];
        Set<Integer> used = new HashSet<>();
        long cid = store.create(content);
        while (cid != Status.FULL) {
            used.add(Cid.nid(cid));
            cid = store.create(content);
        }
        assertEquals(Set.of(zone, more), used);
        long[] cids = new long[3];
        assertEquals(0, store.batch().create(1 << 20, cids, 0, 3, false));
        assertArrayEquals(new long[] {Status.FULL, Status.FULL, Status.FULL}, cids);
    }

    // ---- long contents, views, limits ----

    @Test
    void contents_ofAllLengths_comeBack() {
        for (int length : new int[] {0, 1, 1000, 40_000, 65_519, 65_520, 65_536, 1 << 20}) {
            byte[] content = new byte[length];
            new SplittableRandom(length).nextBytes(content);
            long cid = store.create(content);
            byte[] target = new byte[1 << 20];
            assertEquals(length, store.get(cid, target));
            assertArrayEquals(content, store.chunks().get(cid).orElseThrow());
            assertEquals(Status.OK, store.put(cid, new byte[length]));
        }
    }

    @Test
    void batch_ofLongContents_needsSeveralMessages() {
        long[] cids = new long[40];
        int[] lengths = new int[40];
        long total = 0;
        for (int i = 0; i < 40; i++) {
            lengths[i] = 1000 * i * i % 900_001;
            total += lengths[i];
        }
        byte[] content = new byte[(int) total];
        new SplittableRandom(1).nextBytes(content);
        MemorySegment source = MemorySegment.ofArray(content);
        int more = cell.zones(second.node, 1);
        second.open(more, CONFIG);
        assertEquals(40, store.batch().create(source, lengths, cids, 0, false));
        int[] read = new int[40];
        byte[] target = new byte[content.length];
        assertEquals(total, store.batch().get(cids, 0, 40, target, 0, read));
        assertArrayEquals(lengths, read);
        assertArrayEquals(content, target);
        int[] statuses = new int[40];
        assertEquals(40, store.batch().put(cids, 0, source, lengths, statuses));
        assertEquals(total, store.batch().get(cids, 0, 40, target, 0, read));
        assertArrayEquals(content, target);
    }

    @Test
    void chunks_beyondTheLimit_areRefused() {
        long cid = store.create(ABC);
        int length = ClusterStore.CHUNK_BYTES_MAX + 1;
        for (Executable call : List.<Executable>of(() -> store.create(length), () -> store.create(new byte[length]),
            () -> store.put(cid, new byte[length]), () -> store.resize(cid, length),
            () -> store.batch().create(length, new long[1], 0, 1, false),
            () -> store.batch().resize(new long[] {cid}, 0, new long[] {length}, new int[1]))) {
            assertTrue(assertThrows(IllegalArgumentException.class, call).getMessage().contains("1 MiB"));
        }
        assertEquals(Status.OUT_OF_RANGE, store.getBytes(cid, 0, new byte[length], 0, length));
        assertEquals(Status.OUT_OF_RANGE, store.putBytes(cid, 0, new byte[length], 0, length));
    }

    @Test
    void reservation_ofTheMostCids_isOfOneZone_andOfMoreIsRefused() {
        long[] cids = new long[ClusterStore.RESERVED_MAX + 1];
        assertEquals(ClusterStore.RESERVED_MAX, store.ids().reserve(cids, 1, ClusterStore.RESERVED_MAX));
        assertEquals(cids[1] + ClusterStore.RESERVED_MAX - 1, cids[ClusterStore.RESERVED_MAX]);
        assertEquals(zone, Cid.nid(cids[1]));
        assertEquals(Status.OK, store.ids().createAt(cids[ClusterStore.RESERVED_MAX], ABC));
        assertThrows(IllegalArgumentException.class, () -> store.ids().reserve(cids, 0, cids.length));
        assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(Cid.of(zone, 0), ABC));
        assertThrows(IllegalArgumentException.class, () -> store.ids().createAt(1, ABC));
    }

    @Test
    void cids_thatNoChunkOfAClusterHas_areAbsent() {
        for (long cid : new long[] {Cid.NONE, 1, Cid.of(65_534, 1), -1}) {
            assertEquals(Status.ABSENT, store.get(cid, new byte[1]));
            assertEquals(-7, store.fields().getLong(cid, 0, -7));
            assertEquals(0, store.batch().remove(new long[] {cid}, 0, 1, new long[1]));
        }
    }

    @Test
    void views_shareTheConnection() {
        ClusterStore owner = store.withLevel(WriteLevel.OWNER);
        assertSame(store, store.withLevel(WriteLevel.BACKED));
        assertEquals(WriteLevel.OWNER, owner.level());
        long cid = owner.create(ABC);
        assertEquals(3, store.size(cid));
        owner.close();
        assertThrows(StoreClosedException.class, () -> store.size(cid));
    }

    /** The backups hold all answers back that must wait for them. */
    @Test
    void reads_atOwner_waitForNoBackup() {
        ClusterStore owner = store.withLevel(WriteLevel.OWNER);
        ClusterStore brief = connectBriefly();
        long cid = owner.create(8);
        first.hold();
        assertEquals(8, owner.get(cid, new byte[8]));
        assertEquals(8, owner.size(cid));
        assertTrue(owner.exists(cid));
        assertEquals(0, owner.fields().getLong(cid, 0, -1));
        assertEquals(Status.OK, owner.getBytes(cid, 0, new byte[8], 0, 8));
        assertEquals(8, owner.batch().get(new long[] {cid}, 0, 1, new byte[8], 0, new int[1]));
        assertThrows(StoreException.class, () -> brief.get(cid, new byte[8]));
        first.letGo(Verdict.SERVED);
    }

    // ---- locks ----

    /** A clock that a test sets forward; threads that wait by it look at it each millisecond. */
    private static final class ForwardClock implements Clock {
        private final AtomicLong aheadNs = new AtomicLong();

        @Override
        public long nowNs() {
            return System.nanoTime() + aheadNs.get();
        }

        @Override
        public void park(Object blocker, long ns) {
            Clock.super.park(blocker, Math.min(ns, TimeUnit.MILLISECONDS.toNanos(1)));
        }

        void forward(long ns) {
            aheadNs.addAndGet(ns);
        }
    }

    /** Clients with this chance draw the same NIDs. */
    private static Chance chance() {
        return new SplittableRandom(1)::nextLong;
    }

    @Test
    void lock_whoseOldTokenIsRefusedDuringAnExchange_isNotLost() throws Exception {
        ForwardClock clock = new ForwardClock();
        ClientConfig config = ClientConfig.builder(cell.address()).build();
        try (ClusterStore locking = RemoteStore.of(ClusterClient.connect(config,
            Platform.SYSTEM.withClock(clock).withChance(chance())), WriteLevel.BACKED)) {
            long cid = locking.create(ABC);
            assertEquals(Status.OK, other.submit(() -> locking.locks().lockRead(cid, 0)).get(LIMIT_S,
                TimeUnit.SECONDS));
            first.hold();
            Future<Integer> exchange = other.submit(() -> locking.locks().swapToWrite(cid, 0));
            Threads.await("the exchange at the owner", () -> first.held() > 0);
            for (int renewals = 1; renewals <= 2; renewals++) {     // the first may have been sent before the exchange
                int count = first.held();
                clock.forward(config.lockLeaseNs() / 3);
                Threads.await("a renewal at the owner", () -> first.held() > count);
            }
            first.letGoBackwards(Verdict.SERVED);
            assertEquals(Status.OK, exchange.get(LIMIT_S, TimeUnit.SECONDS));
            assertEquals(Status.OK, other.submit(() -> locking.put(cid, ABC)).get(LIMIT_S, TimeUnit.SECONDS));
            assertEquals(Status.OK, other.submit(() -> locking.locks().unlock(cid)).get(LIMIT_S, TimeUnit.SECONDS));
        }
    }

    /** No backup takes the end of a lock into its log, as if the disks of all were full. */
    @Test
    void operation_withALockThatHasEnded_whileNoBackupAcknowledges_endsWithItsDeadline() {
        ClusterStore brief = connectBriefly();
        AtomicLong locked = new AtomicLong();
        Threads.await("a lock", () -> isDone(() -> {
            locked.set(store.create(ABC));
            assertEquals(Status.OK, brief.locks().lockWrite(locked.get(), 0));
        }));
        long cid = locked.get();
        first.hold();
        first.endLocks(zone);
        StoreException late = assertThrows(StoreException.class, () -> brief.get(cid, new byte[3]));
        assertEquals(Category.RETRY, late.category());
        assertTrue(late.getMessage().contains("not done within"), late::toString);
        assertThrows(UnknownOutcomeException.class, () -> brief.put(cid, ABC));
        assertTrue(first.held() > 0);
        first.letGo(Verdict.SERVED);
        Threads.await("the refusal", () -> {
            try {
                brief.get(cid, new byte[3]);
                throw new AssertionError("its lock is not held");
            } catch (LockLostException _) {
                return true;
            } catch (StoreException _) {                        // the machine is too busy for so short a time
                return false;
            }
        });
        assertEquals(3, store.get(cid, new byte[3]));
        assertEquals(Status.OK, store.put(cid, ABC));
    }
}
