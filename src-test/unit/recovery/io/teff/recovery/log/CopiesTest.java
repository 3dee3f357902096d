package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: zones of copies are dropped together, also in the middle of a cleaning; room is claimed for many records. */
final class CopiesTest {
    private static final LogConfig CONFIG =
        new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, Integer.MAX_VALUE, 4096, 3, 1, 60, 40);
    private static final int ZONE = ZoneId.ofCopy(4, 1);
    private static final long CID = Cid.of(Ledger.OWNER, 1 << 20);

    private static OpenLog open(FaultDisk disk) throws IOException {
        return OpenLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk).withChance(() -> 5), LogScript.FOLDER,
            CONFIG, 99, false, "a test", new LogOptions.Use(true, false, () -> { })), () -> { });
    }

    private static void put(OpenLog parts, int zone, long cid, long number, int length) {
        WriteBuffer buffer = parts.buffer();
        long record = buffer.claim(RingRecord.ENTRY_BYTES + length);
        long at = buffer.firstEntry(record);
        buffer.entry(at, cid, number, Ledger.OWNER, zone, EntryKind.PUT, length);
        buffer.commit(record, false);
        if (buffer.tail() - buffer.drained() > 4096) {
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        }
    }

    /** Makes a copy of some segments, most of which is outdated. */
    private static void fill(OpenLog parts) throws IOException {
        for (int i = 1; i <= 60; i++) {
            put(parts, ZONE, CID + i % 3, i, 1000);
        }
        assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        parts.secondary().seal();
    }

    private static List<String> segments(FaultDisk disk) throws IOException {
        return disk.list(LogScript.FOLDER.resolve(LogFolder.SEGMENTS));
    }

    /** The new segments of the cleaning are in the folder, and no manifest names them or their zone. */
    @Test
    void kill_whileADroppedCopyIsCleaned_isNoDamage() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = open(disk)) {
            fill(parts);
            CleanJob.Result result = parts.cleaner().clean(parts.secondary().toClean(new ZoneId(Ledger.OWNER, ZONE)));
            assertTrue(result.hasChanged() && !result.made().isEmpty());
            parts.secondary().dropCopies(Ledger.OWNER, 4);
            FaultDisk left = disk.killed();
            assertEquals(result.made().size(), segments(left).size());
            try (OpenLog found = open(left)) {
                assertEquals(List.of(), found.damage());
                assertEquals(List.of(), found.zones());
                assertEquals(Map.of(Ledger.OWNER, 4), found.droppedCopies());
                assertEquals(List.of(), segments(left));
            }
            assertEquals(false, parts.secondary().cleaned(result));
            assertEquals(List.of(), segments(disk));
        }
    }

    @Test
    void dropCopies_whileOneIsRead_keepsItsFilesSoLong() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = open(disk)) {
            fill(parts);
            ZoneId zone = new ZoneId(Ledger.OWNER, ZONE);
            ZoneLogs.Hold held = parts.secondary().hold(zone);
            parts.secondary().dropCopies(Ledger.OWNER, 4);
            assertEquals(held.segments().size(), segments(disk).size());
            parts.secondary().release(zone, held, null, List.of());
            assertEquals(List.of(), segments(disk));
        }
    }

    // ---- room for many records ----

    @Test
    void tryClaim_ofManyRecords_isOneRoomAndNeverWaits() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = open(disk)) {
            WriteBuffer buffer = parts.buffer();
            long bytes = RingRecord.bytes(RingRecord.ENTRY_BYTES);
            int count = 0;
            for (long room = buffer.tryClaim(5 * bytes); room > 0; room = buffer.tryClaim(5 * bytes)) {
                for (int i = 0; i < 5; i++) {
                    long record = room + i * bytes;
                    buffer.entry(buffer.firstEntry(record), CID, ++count, Ledger.OWNER, ZONE, EntryKind.REMOVED, 0);
                    buffer.begin(record, RingRecord.ENTRY_BYTES);
                    buffer.commit(record, false);
                }
            }
            assertTrue(buffer.capacity() - (buffer.tail() - buffer.drained()) < 6 * 5 * bytes);
            List<Long> shown = new ArrayList<>();
            RingScan scan = buffer.scan();
            for (long at = buffer.drained(); at < buffer.tail(); at += scan.bytes(at)) {
                if (scan.hasEntries(at)) {
                    scan.show(at, (cid, sequence, owner, zone, kind, memory, offset, length) -> shown.add(sequence));
                }
            }
            assertEquals(count, shown.size());
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
            assertEquals(buffer.tail(), buffer.drained());
            assertTrue(buffer.tryClaim(bytes) != WriteBuffer.NO_ROOM);
        }
    }

    /** A thread that fails between two records leaves the rest of its room; what it has committed counts. */
    @Test
    void leave_ofARestOfTheRoom_isDrainedAndFoundAfterAKill() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (OpenLog parts = open(disk)) {
            WriteBuffer buffer = parts.buffer();
            long bytes = RingRecord.bytes(RingRecord.ENTRY_BYTES);
            for (int lap = 0; lap < 40; lap++) {
                long room = buffer.tryClaim(30 * bytes);
                buffer.entry(buffer.firstEntry(room), CID, lap + 1, Ledger.OWNER, ZONE, EntryKind.REMOVED, 0);
                buffer.begin(room, RingRecord.ENTRY_BYTES);
                buffer.commit(room, false);
                buffer.leave(room + bytes, room + 30 * bytes);
                put(parts, ZONE, CID + 1, lap + 1, 10);
                assertEquals(Drainer.Result.DONE, parts.drainer().drain());
                assertEquals(buffer.tail(), buffer.drained());
            }
            long room = buffer.tryClaim(3 * bytes);
            buffer.entry(buffer.firstEntry(room), CID, 99, Ledger.OWNER, ZONE, EntryKind.REMOVED, 0);
            buffer.begin(room, RingRecord.ENTRY_BYTES);
            buffer.commit(room, false);
            put(parts, ZONE, CID + 1, 99, 10);
            try (OpenLog found = open(disk.killed())) {
                List<Long> numbers = new ArrayList<>();
                ZoneId zone = new ZoneId(Ledger.OWNER, ZONE);
                found.secondary().hold(zone).segments().forEach((segment, isSealed) -> {
                    try {
                        assertNotNull(found.reader().read(zone.segment(segment), isSealed,
                            (cid, sequence, owner, number, kind, memory, offset, length) -> numbers.add(sequence)));
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                assertEquals(2, numbers.stream().filter(number -> number == 99).count());
                assertTrue(numbers.containsAll(List.of(1L, 20L, 40L)));
            }
        }
    }
}
