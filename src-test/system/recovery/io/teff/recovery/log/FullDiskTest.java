package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Platform;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.LogConfig;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a full disk is no trap. Whenever it becomes full, changes that add are refused, removals are accepted until
 * nothing is left, the log closes, and it opens on the full disk: after the close, after a kill at any call, and after
 * a kill in that opening. Nothing acknowledged is lost.
 *
 * <p>Method: a disk in memory that has no block left from a given call on; sessions in which that call is each one in
 * turn.
 */
@Tag("system")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullDiskTest {
    private static final LogConfig CONFIG =
        new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, 3000, 4096, 4, 1_000_000, 60, 40, true);
    private static final int POWER_CUTS = Form.size(4, 20, 100);
    private static final Path FOLDER = FaultDisk.ROOT.resolve("log");
    private static final int ZONES = 3;
    private static final int CHUNKS = 300;
    private static final int PUTS_MAX = 20_000;
    private static final int PUTS_MIN = 200;
    /** Of this number of calls, one is the first to find the disk full. */
    private static final int CALLS_BETWEEN = Form.size(211, 23, 5);
    private static final int LAST_CALL = Form.size(700, 1500);

    private final Map<Long, Long> newest = new HashMap<>();
    private final AtomicLong names = new AtomicLong(77);
    private SplittableRandom random = new SplittableRandom(0);

    private RecoveryLog open(FaultDisk disk) throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk).withChance(names::getAndIncrement),
            FOLDER, CONFIG, Ledger.OWNER, false, "a test"));
    }

    private static long cid(int chunk) {
        return (long) Ledger.OWNER << 48 | (long) (chunk % ZONES) << 20 | chunk;
    }

    private void put(RecoveryLog log) {
        final long cid = cid(random.nextInt(CHUNKS));
        acknowledge(cid, Ledger.write(log.buffer(), false, cid, random.nextInt(100, 900)));
    }

    private void remove(RecoveryLog log, long cid) {
        assertTrue(log.buffer().awaitRoomToRemove(), () -> "a removal is refused: " + log.lastFailure());
        final long record = log.buffer().claim(RingRecord.ENTRY_BYTES);
        log.buffer().entry(log.buffer().firstEntry(record), cid, record, Ledger.OWNER, Ledger.zone(cid),
            EntryKind.REMOVED, 0);
        log.buffer().commit(record, false);
        acknowledge(cid, record);
    }

    private synchronized void acknowledge(long cid, long record) {
        newest.put(cid, record);
    }

    private synchronized Map<Long, Long> acknowledged() {
        return new HashMap<>(newest);
    }

    private static void check(RecoveryLog log, Map<Long, Long> expected) throws IOException {
        assertEquals(List.of(), log.damage());
        final Map<Long, Long> found = new HashMap<>();
        for (ZoneId zone : log.zones()) {
            final Ledger ledger = new Ledger();
            assertEquals(List.of(), log.read(zone, ledger));
            ledger.entries.forEach(it -> found.merge(it.cid(), it.sequence(), Math::max));
        }
        expected.forEach((cid, number) -> assertTrue(found.getOrDefault(cid, -1L) >= number,
            () -> "chunk " + Long.toHexString(cid) + " has change " + found.get(cid) + ", acknowledged was " + number));
    }

    /** An image of a kill, and what was acknowledged before. */
    private record Killed(FaultDisk disk, Map<Long, Long> acknowledged) {}

    /** Takes an image at a call from now on; the result is filled when it comes. */
    private List<Killed> killAt(FaultDisk disk, long call, Runnable before) {
        final List<Killed> killed = new ArrayList<>();
        final AtomicLong calls = new AtomicLong();
        disk.beforeEachCall(() -> {
            before.run();
            if (calls.getAndIncrement() == call) {
                final Map<Long, Long> known = acknowledged();
                killed.add(new Killed(disk.killed(), known));
            }
        });
        return killed;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4096, 60_000})
    void removals_fromEachCallOnAFullDisk_areAcceptedAndKept(long left) throws IOException {
        int fullCount = 0;
        for (int call = (int) (left % CALLS_BETWEEN); call < LAST_CALL; call += CALLS_BETWEEN) {
            try {
                play(call, left);
                fullCount++;
            } catch (IOException | RuntimeException | Error e) {
                throw new AssertionError("full at call " + call + " with " + left + " bytes left", e);
            }
        }
        System.out.println("FullDiskTest: " + fullCount + " full disks with " + left + " bytes left");
    }

    private void play(int call, long left) throws IOException {
        random = new SplittableRandom(call);
        newest.clear();
        final FaultDisk disk = new FaultDisk();
        RecoveryLog log = open(disk);
        final AtomicLong calls = new AtomicLong();
        final List<Killed> killed = killAt(disk, call + random.nextInt(400), () -> {
            if (calls.getAndIncrement() == call) {
                disk.fillUp(left);
            }
        });
        int puts = 0;
        while (puts < PUTS_MAX && log.buffer().awaitRoom()) {
            put(log);
            puts++;
        }
        assertTrue(puts < PUTS_MAX, "changes that add are not refused");
        for (long cid : List.copyOf(newest.keySet())) {
            remove(log, cid);
            if (random.nextInt(20) == 0) {
                remove(log, cid);
            }
        }
        assertTrue(log.sync(), "removals are not synced");
        disk.beforeEachCall(() -> { });
        log.close();
        log = open(disk);
        check(log, newest);
        assertTrue(log.buffer().awaitRoomToRemove());
        disk.limit(Integer.MAX_VALUE);
        Threads.await("room", log.buffer()::awaitRoom);
        put(log);
        log.close();
        for (Killed image : killed) {
            openKilled(image);
        }
    }

    /** Opens an image of a kill on the full disk, goes on with removals there, and is killed in the opening, too. */
    private void openKilled(Killed image) throws IOException {
        final FaultDisk again = image.disk.killed();
        final List<Killed> killed = killAt(again, random.nextInt(120), () -> { });
        RecoveryLog log = open(again);
        again.beforeEachCall(() -> { });
        check(log, image.acknowledged);
        final Map<Long, Long> before = new HashMap<>(newest);
        newest.clear();
        for (int i = 0; i < 40; i++) {
            remove(log, cid(random.nextInt(CHUNKS)));
        }
        final FaultDisk last = again.killed();
        log.close();
        log = open(again);
        check(log, newest);
        log.close();
        log = open(last);
        check(log, newest);
        log.close();
        newest.clear();
        newest.putAll(before);
        for (Killed inOpening : killed) {
            log = open(inOpening.disk);
            check(log, image.acknowledged);
            log.close();
        }
    }

    /** A disk that the log itself has filled has room again when everything was removed. */
    @Test
    @FullTier("2 s. FullDiskRemovalsTest removes from collections on a full disk.")
    void removals_ofEverything_makeRoomForOthers() throws IOException {
        for (long seed = 0; seed < 5; seed++) {
            random = new SplittableRandom(seed);
            newest.clear();
            final FaultDisk disk = new FaultDisk();
            disk.limit((1 << 20) + random.nextInt(1 << 18));
            final RecoveryLog log = open(disk);
            for (int round = 0; round < 3; round++) {
                int puts = 0;
                boolean hasRoom = true;
                while ((hasRoom || puts < PUTS_MIN) && puts < PUTS_MAX) {       // a cleaning may be under way
                    hasRoom = log.buffer().awaitRoom();
                    if (hasRoom) {
                        final long cid = cid(puts++);
                        acknowledge(cid, Ledger.write(log.buffer(), false, cid, 700));
                    }
                }
                assertTrue(puts < PUTS_MAX, "round " + round + ": " + puts);
                for (int chunk = 0; chunk < puts; chunk++) {
                    remove(log, cid(chunk));
                }
                assertTrue(log.sync());
                Threads.await("room", log.buffer()::awaitRoom);
            }
            log.close();
            final RecoveryLog again = open(disk);
            check(again, newest);
            again.close();
        }
    }

    /** After a power cut on the full disk only synced changes count, and the log opens as well. */
    @Test
    void powerCut_onAFullDisk_opens() throws IOException {
        for (long seed = 0; seed < POWER_CUTS; seed++) {
            random = new SplittableRandom(seed);
            newest.clear();
            final FaultDisk disk = new FaultDisk();
            disk.limit((1 << 20) + random.nextInt(1 << 18));
            final RecoveryLog log = open(disk);
            while (log.buffer().awaitRoom()) {
                put(log);
            }
            for (int i = random.nextInt(200); i > 0; i--) {
                remove(log, cid(random.nextInt(CHUNKS)));
            }
            assertTrue(log.sync());
            final Map<Long, Long> synced = acknowledged();
            remove(log, cid(0));
            final FaultDisk cut = disk.powerCut(Choices.random(seed));
            final RecoveryLog again = open(cut);
            check(again, synced);
            again.close();
            log.close();
        }
    }
}
