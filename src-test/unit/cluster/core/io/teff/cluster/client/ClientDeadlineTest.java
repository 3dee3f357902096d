package io.teff.cluster.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.engine.Cid;
import io.teff.engine.config.LockStep;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: each call of a client ends within its deadline and 100 ms, with a reason, whatever peers and superpeers do.
 * Method: peers and superpeers that are stopped, silent or gone, and zones without owner; each operation is called. A
 * machine that is busy with other things may be late, so calls are repeated for a while and the shortest is judged: a
 * call that waits for something else than its deadline is always late.
 */
@Timeout(300)
class ClientDeadlineTest {
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(160);
    private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int ATTEMPTS = 6;
    /** Calls are repeated so long at least, in which no machine is always late. */
    private static final long ATTEMPTS_NS = TimeUnit.SECONDS.toNanos(30);
    private static final StoreConfig CONFIG = StoreConfig.builder().memoryLimitBytes(64L << 20).build();
    private static final byte[] ABC = {1, 2, 3, 4, 5, 6, 7, 8};

    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestCell cell;
    private TestPeer peer;
    private int zone;
    private ClusterStore store;
    private ClusterStore brief;
    private long cid;
    private long lockCid;

    @BeforeEach
    void openAll() throws IOException {
        cell = new TestCell();
        opened.add(cell);
        peer = new TestPeer(cell);
        opened.addFirst(peer);
        zone = cell.zones(peer.node, 1);
        peer.open(zone, CONFIG);
        store = connect(LONG_NS);
        brief = connect(TIMEOUT_NS);
        cid = store.create(ABC);
        lockCid = store.create(ABC);
        boolean hasSession = false;
        for (int i = 0; i < 100 && !hasSession; i++) {
            hasSession = thrown(() -> brief.put(cid, ABC)) == null;
        }
        assertTrue(hasSession, "the client has a session");
    }

    private ClusterStore connect(long timeoutNs) {
        ClusterStore connected = connect(cell, timeoutNs, TIMEOUT_NS);
        opened.addFirst(connected);
        return connected;
    }

    private static ClusterStore connect(TestCell to, long timeoutNs, long lockTimeoutNs) {
        for (int i = 0;; i++) {
            try {
                return ClusterStore.connect(ClientConfig.builder(to.address()).timeoutNs(timeoutNs)
                    .lockTimeoutNs(lockTimeoutNs).build());
            } catch (StoreException e) {                        // the machine is too busy for so short a time
                assertTrue(i < 100, e::toString);
            }
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        peer.resume();
        for (AutoCloseable next : opened) {
            next.close();
        }
    }

    private static @Nullable Throwable thrown(Executable call) {
        try {
            call.execute();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    private static @Nullable Throwable inTime(String what, Executable call) {
        return inTime(what, TIMEOUT_NS, call);
    }

    /** Calls until a call has ended in time, and returns what it has thrown, or null. */
    private static @Nullable Throwable inTime(String what, long timeoutNs, Executable call) {
        long best = Long.MAX_VALUE;
        long begunNs = System.nanoTime();
        for (int i = 0; i < ATTEMPTS || System.nanoTime() - begunNs < ATTEMPTS_NS; i++) {
            long startNs = System.nanoTime();
            Throwable thrown = thrown(call);
            long tookNs = System.nanoTime() - startNs;
            best = Math.min(best, tookNs);
            if (tookNs <= timeoutNs + LATE_NS) {
                return thrown;
            }
        }
        throw new AssertionError(what + " has taken " + TimeUnit.NANOSECONDS.toMillis(best) + " ms, its deadline is "
            + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
    }

    /** Calls until the reason is that of the newest tables. */
    private static void awaitReason(String reason, Executable call) {
        Throwable thrown = null;
        for (int i = 0; i < 100 && (thrown == null || !thrown.getMessage().contains(reason)); i++) {
            thrown = thrown(call);
        }
        assertTrue(thrown != null && thrown.getMessage().contains(reason), String.valueOf(thrown));
    }

    /**
     * Checks that a call ends in time, by an exception that says why it has not been done. On a busy machine the time
     * of a call may be over before it has asked anyone: then it cannot know the reason, and is repeated.
     */
    private static void fails(String what, String reason, Executable call) {
        Throwable last = null;
        long begunNs = System.nanoTime();
        for (int i = 0; i < ATTEMPTS || System.nanoTime() - begunNs < ATTEMPTS_NS; i++) {
            Throwable thrown = inTime(what, call);
            assertNotNull(thrown, what + " has succeeded");
            assertTrue(thrown instanceof UnknownOutcomeException || thrown instanceof StoreException e
                && e.category() == Category.RETRY, () -> what + " has thrown " + thrown);
            assertTrue(thrown.getMessage().contains("not done within"), () -> what + " has thrown " + thrown);
            if (thrown.getMessage().contains(reason)) {
                return;
            }
            last = thrown;
        }
        throw new AssertionError(what + " has thrown " + last);
    }

    /** Calls each kind of operation on a chunk. */
    private void allFail(String reason) {
        long[] cids = {cid};
        fails("get", reason, () -> brief.get(cid, new byte[8]));
        fails("chunks().get", reason, () -> brief.chunks().get(cid));
        fails("getLong", reason, () -> brief.fields().getLong(cid, 0, 0));
        fails("batch get", reason, () -> brief.batch().get(cids, 0, 1, new byte[8], 0, new int[1]));
        fails("put", reason, () -> brief.put(cid, ABC));
        fails("long put", reason, () -> brief.put(cid, new byte[100_000]));
        fails("add", reason, () -> brief.fields().getAndAddLong(cid, 0, 1));
        fails("resize", reason, () -> brief.resize(cid, 9));
        fails("batch put", reason, () -> brief.batch().put(cids, 0, MemorySegment.ofArray(ABC), new int[] {8},
            new int[1]));
        fails("group", reason, () -> brief.group().put(cid, ABC).commit());
        fails("createNear", "", () -> brief.createNear(cid, ABC));
        fails("batch create", "", () -> brief.batch().create(8, new long[2], 0, 2, false));
        fails("reserve", "", () -> brief.ids().reserve());
        fails("lock", reason, () -> brief.locks().lockWrite(lockCid, LONG_NS));
    }

    @Test
    void calls_atAPeerThatHoldsItsAnswersBack_endInTime() {
        peer.hold();
        allFail("");
    }

    /** Its process is stopped: it reads nothing, and at last there is no room to send either. */
    @Test
    void calls_atAPeerThatIsStopped_endInTime() {
        peer.stop();
        allFail("");
        for (int i = 0; i < 4; i++) {
            fails("put of 1 MiB", "", () -> brief.put(cid, new byte[ClusterStore.CHUNK_BYTES_MAX]));
        }
        fails("get", "", () -> brief.get(cid, new byte[8]));
        fails("put", "", () -> brief.put(cid, ABC));
    }

    @Test
    void calls_atAPeerThatIsGone_endInTime() {
        peer.cut();
        allFail("");
    }

    /** Chunks are served all the same while the leases of peers last; only what needs a superpeer ends. */
    @Test
    void calls_whileNoSuperpeerAnswers_endInTime() {
        ClusterStore fresh = connect(TIMEOUT_NS);
        long elsewhere = Cid.of(zone + 5, 1);
        Object answering = cell;
        synchronized (answering) {                              // it is reached, and does not answer
            fails("a get in an unknown zone", "no superpeer says whether it exists", () ->
                brief.get(elsewhere, new byte[8]));
            fails("the first change", "no superpeer has opened a session", () -> fresh.put(cid, ABC));
            fails("connect", "connect to", () -> ClusterStore.connect(ClientConfig.builder(cell.address())
                .timeoutNs(TIMEOUT_NS).build()));
            assertArrayEquals(ABC, store.chunks().get(cid).orElseThrow());
        }
        cell.close();
        fails("a get in an unknown zone", "no superpeer says whether it exists", () ->
            brief.get(elsewhere, new byte[8]));
        fails("connect", "connect to", () -> ClusterStore.connect(ClientConfig.builder(cell.address())
            .timeoutNs(TIMEOUT_NS).build()));
        assertEquals(8, store.get(cid, new byte[8]));
        assertEquals(Status.OK, store.put(cid, ABC));
    }

    @Test
    void calls_forAZoneWithoutOwner_endInTime() throws IOException {
        TestPeer backup = new TestPeer(cell);
        opened.addFirst(backup);
        int second = cell.zones(peer.node, 1);
        peer.open(second, CONFIG);
        cid = peer.serving(second).create(ABC);
        lockCid = peer.serving(second).create(ABC);
        assertEquals(8, store.get(cid, new byte[8]), "its row is here");
        cell.apply(new Command.Ended(peer.node));
        peer.cut();
        awaitReason("no zone is open", () -> brief.create(ABC));
        awaitReason("has no owner now", () -> brief.get(cid, new byte[8]));
        allFail("");
        fails("create", "no zone is open", () -> brief.create(ABC));
        cell.apply(new Command.Ended(backup.node));
        awaitReason("waits for the copy of " + backup.node, () -> brief.get(cid, new byte[8]));
        fails("get", "waits for the copy of " + backup.node, () -> brief.get(cid, new byte[8]));
        fails("put", "waits for the copy of " + backup.node, () -> brief.put(cid, ABC));
        fails("batch get", "waits for the copy of " + backup.node, () -> brief.batch().get(new long[] {cid}, 0, 1,
            new byte[8], 0, new int[1]));
        fails("create", "no zone is open; zone " + second + ": it waits for the copy of " + backup.node,
            () -> brief.create(ABC));
        fails("batch create", "no zone is open; zone " + second + ": it waits for the copy of " + backup.node,
            () -> brief.batch().create(8, new long[2], 0, 2, false));
        cell.apply(new Command.AcceptLoss(second, cell.row(second).epoch(), 0, 0));
        for (Executable call : List.<Executable>of(() -> store.get(cid, new byte[8]), () -> store.put(cid, ABC),
            () -> store.batch().remove(new long[] {cid}, 0, 1, new long[1]))) {
            StoreException lost = assertInstanceOf(StoreException.class, thrown(call));
            assertEquals(Category.DEGRADED, lost.category());
            assertTrue(lost.getMessage().contains("zone " + second + " is lost"), lost::toString);
        }
    }

    /** As with a full ring, while no other node has the zone. */
    @Test
    void changes_thatWaitForABackup_nameTheCopiesAtTheDeadline() throws IOException {
        TestPeer backup = new TestPeer(cell);
        opened.addFirst(backup);
        int second = cell.zones(peer.node, 1);
        peer.open(second, CONFIG);
        long[] cids = {peer.serving(second).create(ABC)};
        cell.apply(new Command.Ended(backup.node));
        assertTrue(cell.row(second).awaitsBackup(), cell.row(second)::toString);
        String reason = "busy; zone " + second + ": its changes wait for a new backup: beside the owner, only copies"
            + " of " + backup.node + " have every acknowledged change";
        peer.busy.set(Integer.MAX_VALUE);
        fails("put", reason, () -> brief.put(cids[0], ABC));
        fails("batch put", reason, () -> brief.batch().put(cids, 0, MemorySegment.ofArray(ABC), new int[] {8},
            new int[1]));
        peer.busy.set(0);
        peer.hold();
        fails("put", "has not answered; zone " + second + ": its changes wait", () -> brief.put(cids[0], ABC));
    }

    /** Lets each answer go after three quarters of a deadline. */
    private void answerSlowly(AtomicBoolean isOver) {
        while (!isOver.get()) {
            peer.hold();
            while (peer.held() == 0 && !isOver.get()) {
                LockSupport.parkNanos(1_000_000);
            }
            LockSupport.parkNanos(TIMEOUT_NS * 3 / 4);
            peer.letGo(Verdict.SERVED);
        }
    }

    @Test
    void operationsOfSeveralCalls_endInTime() throws Exception {
        long longer = store.create(new byte[300]);
        AtomicBoolean isOver = new AtomicBoolean();
        Thread slow = Thread.ofPlatform().start(() -> answerSlowly(isOver));
        try {
            inTime("chunks().get", () -> brief.chunks().get(longer));
            inTime("a get with steps", () -> brief.locks().get(longer, new byte[300], 0, LockStep.LOCK_READ,
                LockStep.UNLOCK, 0));
            inTime("a put with steps", () -> brief.locks().put(longer, new byte[300], 0, 300, LockStep.LOCK_WRITE,
                LockStep.UNLOCK, 0));
            inTime("a create with a lock", () -> brief.locks().create(ABC, 0, 8, true));
        } finally {
            isOver.set(true);
            slow.join();
        }
    }

    @Test
    void batch_withManyChunksThatOthersHaveLocked_endsInTime() {
        long[] cids = new long[5];
        for (int i = 0; i < cids.length; i++) {
            cids[i] = store.create(ABC);
            assertEquals(Status.OK, store.locks().lockWrite(cids[i], LONG_NS));
        }
        long timeoutNs = 3 * TIMEOUT_NS;
        ClusterStore other = connect(cell, timeoutNs, timeoutNs / 2);
        opened.addFirst(other);
        int[] lengths = new int[5];
        Throwable thrown = inTime("batch get", timeoutNs, () ->
            other.batch().get(cids, 0, 5, new byte[40], 0, lengths));
        assertTrue(thrown == null || thrown instanceof StoreException, () -> "" + thrown);
        if (thrown == null) {                                   // else the last attempt had too little time here
            assertArrayEquals(new int[] {Status.LOCKED, Status.LOCKED, Status.LOCKED, Status.LOCKED, Status.LOCKED},
                lengths);
        }
        Throwable again = inTime("batch remove", timeoutNs, () -> other.batch().remove(cids, 0, 5, new long[5]));
        assertTrue(again == null || again instanceof StoreException || again instanceof UnknownOutcomeException,
            () -> "" + again);
        for (long locked : cids) {
            assertEquals(8, store.size(locked), "nothing was removed");
        }
    }

    @Test
    void create_whenAllZonesAreGivenAndNoneIsOpen_saysSo() throws Exception {
        try (TestCell full = new TestCell(ZoneRow.ZONE_MAX); TestPeer owner = new TestPeer(full)) {
            assertEquals(ZoneRow.ZONE_MAX, full.zones(owner.node, 1));
            full.apply(new Command.ZoneFull(ZoneRow.ZONE_MAX, 1));
            try (ClusterStore client = connect(full, TimeUnit.MILLISECONDS.toNanos(700), TIMEOUT_NS)) {
                awaitReason("no zone is open, and there are no more: all 65533 zones", () -> client.create(ABC));
            }
        }
    }
}
