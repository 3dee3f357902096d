package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.care.HeapRecount;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Platform;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.HeapReport;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import io.teff.engine.report.StoreStats;
import io.teff.engine.snapshot.Snapshots;
import io.teff.test.kit.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A store and a {@link HashMap} with its expected content, for one thread. Knows the rules for the results of each
 * operation; {@link ModelStep} has the operations.
 */
final class StoreModel implements AutoCloseable {
    /** The expected state of a chunk. */
    static final class Expected {
        byte[] content;
        boolean readOnly;
        int readHolds;
        boolean writeHeld;
        final List<Pin> pins = new ArrayList<>();

        Expected(byte[] content) {
            this.content = content;
        }

        boolean held() {
            return writeHeld || readHolds > 0;
        }

        boolean recorded() {
            return held() || !pins.isEmpty();
        }
    }

    static final int NID = 7;
    private static final int[] LENGTHS = {0, 1, 7, 8, 32, 128, 129, 2046, 2047, 5000, 16384, 16385, 70000, 300000};
    private static final int DEAD_MAX = 64;
    private static final int LARGEST = 5;
    /** A store that returns FULL must be at least half full. */
    private static final int FILLED_SHIFT = 1;
    private static final long SLACK_BYTES = 2 << 20;
    private static final byte[] POOL = new byte[1 << 20];

    static {
        Seed.random(1).nextBytes(POOL);
    }

    final SplittableRandom random;
    final MemoryDisk disk = new MemoryDisk();
    final Map<Long, Expected> live = new HashMap<>();
    final Set<Long> reserved = new HashSet<>();
    /** All CIDs of the store's own NID issued so far. */
    final Set<Long> issued = new HashSet<>();
    /** Some CIDs of removed chunks. */
    final List<Long> dead = new ArrayList<>();
    final int keysMax;
    /** How far ahead of the others a given CID may be; few models go far, as each audit then walks a long directory. */
    final int aheadBits;
    private final int lengthsUsed;
    private final StoreConfig config;
    /** Journal of every second model. */
    private final RecordingJournal journal;
    private final byte[] buffer = new byte[512 << 10];
    Store store;

    StoreModel(long seed, DebugLevel level) {
        random = Seed.random(seed);
        keysMax = random.nextInt(2, 48);
        aheadBits = random.nextInt(8) == 0 ? 33 : 22;
        lengthsUsed = random.nextInt(1, LENGTHS.length + 1);
        config = TestConfig.platform(TestConfig.defragSlackBytes(TestConfig.stripes(StoreConfig.builder().name("model")
            .nid(NID).memoryLimitBytes((long) random.nextInt(4, 17) << 22)
            .lockTimeoutNs(0).debugLevel(level), 64), 0), Platform.SYSTEM.withDisk(disk)
                .withThreads(TaskThreads.INLINE)).build();
        journal = seed % 2 == 0 ? new RecordingJournal() : null;
        store = journal == null ? Store.open(config) : JournaledStores.open(Store.class, config, journal,
            restorer -> { });
    }

    // ---- drawing ----

    int length() {
        return random.nextInt(8) == 0 ? random.nextInt(3000) : LENGTHS[random.nextInt(lengthsUsed)];
    }

    byte[] content(int length) {
        int from = random.nextInt(POOL.length - length);
        return Arrays.copyOfRange(POOL, from, from + length);
    }

    /** Draws a CID: mostly of a chunk, sometimes removed, reserved, or never issued. */
    long cid() {
        int draw = random.nextInt(20);
        if (draw < 15 && !live.isEmpty()) {
            return pick(live.keySet());
        }
        if (draw < 18 && !dead.isEmpty()) {
            return dead.get(random.nextInt(dead.size()));
        }
        if (draw == 18 && !reserved.isEmpty()) {
            return pick(reserved);
        }
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> Cid.of(NID, random.nextInt(1, 10_000));
            case 2 -> Cid.of(random.nextInt(4), random.nextInt(1, 5));
            default -> Cid.NONE;
        };
    }

    private long pick(Set<Long> cids) {
        int skip = random.nextInt(cids.size());
        for (long cid : cids) {
            if (skip-- == 0) {
                return cid;
            }
        }
        throw new AssertionError();
    }

    boolean crowded() {
        return live.size() >= keysMax;
    }

    // ---- recording results ----

    /** Records a new chunk of the store's own NID, or FULL. */
    void created(long cid, byte[] content, boolean readOnly) {
        if (Status.isStatus(cid)) {
            full(cid, content.length);
            return;
        }
        assertEquals(NID, Cid.nid(cid));
        assertTrue(Cid.index(cid) > 0 && Cid.index(cid) <= store.ids().highestIndex(), () -> Cid.toString(cid));
        assertTrue(issued.add(cid), () -> Cid.toString(cid) + " was issued before");
        appeared(cid, content, readOnly);
    }

    void appeared(long cid, byte[] content, boolean readOnly) {
        Expected expected = new Expected(content);
        expected.readOnly = readOnly;
        assertFalse(live.containsKey(cid), () -> Cid.toString(cid) + " is there twice");
        live.put(cid, expected);
        dead.remove((Long) cid);
    }

    void ended(long cid) {
        live.remove(cid);
        died(cid);
    }

    void died(long cid) {
        if (dead.size() == DEAD_MAX) {
            dead.set(random.nextInt(DEAD_MAX), cid);
        } else {
            dead.add(cid);
        }
    }

    /** Checks that FULL is returned only if the store is full. */
    void full(long status, long length) {
        assertEquals("FULL", Status.name(status));
        StoreStats stats = store.stats();
        assertTrue(stats.usedBytes() + 2 * length + SLACK_BYTES > stats.limitBytes() >> FILLED_SHIFT,
            () -> "FULL for " + length + " bytes, but " + stats);
    }

    // ---- expected results ----

    /** Returns the expected status of a change before it changes anything: OK, ABSENT or READ_ONLY. */
    int gate(long cid) {
        Expected expected = live.get(cid);
        if (expected == null) {
            return Status.ABSENT;
        }
        return expected.readOnly ? Status.READ_ONLY : Status.OK;
    }

    void put(long cid, byte[] content, int status) {
        Expected expected = live.get(cid);
        boolean otherLength = expected != null && expected.content.length != content.length;
        int gate = gate(cid);
        if (gate == Status.OK && otherLength && !expected.pins.isEmpty()) {
            gate = Status.PINNED;
        }
        if (gate == Status.OK && otherLength && status == Status.FULL) {
            full(status, content.length);
            return;
        }
        same(gate, status);
        if (gate == Status.OK) {
            expected.content = content;
        }
    }

    void resize(long cid, long length, int status) {
        Expected expected = live.get(cid);
        int gate = gate(cid);
        boolean changes = gate == Status.OK && expected.content.length != length;
        if (changes && status == Status.FULL) {
            full(status, length);
            return;
        }
        if (changes && !expected.pins.isEmpty()) {
            gate = Status.PINNED;
        }
        same(gate, status);
        if (gate == Status.OK) {
            expected.content = Arrays.copyOf(expected.content, (int) length);
        }
    }

    void remove(long cid, long result) {
        Expected expected = live.get(cid);
        same(expected == null ? Status.ABSENT : expected.pins.isEmpty() ? expected.content.length : Status.PINNED,
            result);
        if (result >= 0) {
            ended(cid);
        }
    }

    static void same(long expected, long status) {
        assertEquals(expected, status, () -> "expected " + Status.name(expected) + ", got " + Status.name(status));
    }

    // ---- the whole store ----

    /** Writes a snapshot and opens it as another store; continues with one of both. */
    void snapshotAndRestore(boolean goOn) {
        if (journal != null) {
            replay(goOn);
            return;
        }
        Path path = Path.of("model.teff");
        if (live.values().stream().anyMatch(expected -> expected.writeHeld)) {
            try {
                store.snapshot(path);
                throw new AssertionError("a snapshot of a chunk that its own thread has for itself");
            } catch (StoreException | IllegalStateException e) {
                assertTrue(disk.files.isEmpty(), e.toString());
                return;
            }
        }
        SnapshotInfo info = store.snapshot(path);
        assertEquals(live.size(), info.chunks());
        assertEquals(disk.files.get(path).length, info.fileBytes());
        checkReport(Snapshots.analyze(disk, path, LARGEST, Progress.NONE));
        assertEquals(0, disk.openFiles());
        Store restored = Store.restore(path, config.toBuilder().nid(1).build());
        disk.files.clear();
        Store left = goOn ? store : restored;
        if (goOn) {
            goOnWith(restored);
        } else {
            AuditReport report = restored.audit();
            assertEquals(live.size(), report.chunks());
            live.forEach((cid, expected) ->
                assertArrayEquals(expected.content, restored.chunks().get(cid).orElseThrow()));
        }
        left.close();
        assertFalse(left.isOpen());
    }

    private void goOnWith(Store restored) {
        store = restored;
        live.values().forEach(expected -> {
            expected.pins.clear();
            expected.readHolds = 0;
            expected.writeHeld = false;
        });
    }

    /** Opens another store from the records of the journal; continues with one of both. */
    private void replay(boolean goOn) {
        Store restored = journal.restore(journal.size(), config, goOn ? journal : new RecordingJournal());
        assertEquals(live.size(), restored.audit().chunks());
        live.forEach((cid, expected) -> {
            byte[] content = restored.chunks().get(cid).orElseThrow();
            if (expected.pins.isEmpty()) {
                assertArrayEquals(expected.content, content, () -> Cid.toString(cid));
            } else {
                assertEquals(expected.content.length, content.length);
                expected.content = goOn ? content : expected.content;   // recorded at the unpin
            }
            same(expected.readOnly ? Status.OK : Status.ABSENT, expected.readOnly ? restored.seal(cid) : Status.ABSENT);
        });
        if (!goOn) {
            reserved.forEach(cid -> same(Status.OK, restored.ids().unreserve(cid)));
        }
        Store left = goOn ? store : restored;
        left.close();
        if (goOn) {
            goOnWith(restored);
        }
    }

    void report() {
        checkReport(store.heap(LARGEST));
    }

    /** Compares a report of the current store with the model. */
    private void checkReport(HeapReport report) {
        Map<Long, Long> lengths = new HashMap<>();
        Set<Long> readOnly = new HashSet<>();
        live.forEach((cid, expected) -> {
            lengths.put(cid, (long) expected.content.length);
            if (expected.readOnly) {
                readOnly.add(cid);
            }
        });
        HeapRecount.check(report, store.stats(), lengths, readOnly, reserved, LARGEST);
    }

    void audit() {
        AuditReport report = store.audit();
        assertEquals(live.size(), report.chunks());
        long payload = 0;
        long locked = 0;
        for (Expected expected : live.values()) {
            payload += expected.content.length;
            locked += expected.recorded() ? 1 : 0;
        }
        assertEquals(payload, report.payloadBytes());
        assertEquals(locked, report.lockedChunks());
        StoreStats stats = store.stats();
        assertTrue(stats.usedBytes() <= stats.committedBytes(), stats::toString);
        assertTrue(stats.usedBytes() <= stats.limitBytes(), stats::toString);
    }

    void compare(long cid) {
        Expected expected = live.get(cid);
        assertEquals(expected != null, store.exists(cid), () -> Cid.toString(cid) + " exists");
        assertEquals(expected == null ? Status.ABSENT : expected.content.length, store.size(cid));
        int length = store.get(cid, buffer);
        if (expected == null) {
            same(Status.ABSENT, length);
            return;
        }
        same(expected.content.length, length);
        int differs = Arrays.mismatch(buffer, 0, length, expected.content, 0, length);
        assertEquals(-1, differs, () -> Cid.toString(cid) + " has another byte at " + differs);
    }

    void compareAll() {
        live.keySet().forEach(this::compare);
        dead.forEach(this::compare);
        reserved.forEach(this::compare);
        Set<Long> walked = new TreeSet<>();
        store.ids().forEach(cid -> assertTrue(walked.add(cid), () -> Cid.toString(cid) + " is walked twice"));
        assertEquals(new TreeSet<>(live.keySet()), walked);
        long ranged = 0;
        for (CidRange range : store.ids().ranges()) {
            for (long cid = range.first(); cid <= range.last(); cid++) {
                assertTrue(live.containsKey(cid));
                ranged++;
            }
        }
        assertEquals(live.size(), ranged);
        assertEquals(live.values().stream().filter(Expected::recorded).count(), store.locks().list().size());
    }

    @Override
    public void close() {
        store.close();
    }
}
