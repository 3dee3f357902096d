package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.SegmentWriter;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.CleanJob;
import io.teff.recovery.log.clean.LiveEstimate;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a damaged segment keeps only itself from being cleaned, not its zone, and no removed entry reappears if the
 * segment becomes readable again; when unreadable data is given up, the rest is kept, and the damage is not reported
 * again; whenever there is a crash.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DamagedSegmentsTest {
    private static final ZoneId ZONE = new ZoneId(Ledger.OWNER, 0);
    private static final int CHUNKS = 40;
    /** An offset in the middle of the entries of the first block. */
    private static final int WRONG_AT = 4096 + 1500;

    private final FaultDisk disk = new FaultDisk();
    private final SplittableRandom random = new SplittableRandom(8);
    /** The last entry of each chunk. */
    private final Map<Long, Ledger.Entry> newest = new HashMap<>();

    private static OpenLog open(FaultDisk disk, boolean accepts) throws IOException {
        return OpenLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk)
            .withChance(new SplittableRandom(7)::nextLong), LogScript.FOLDER, LogCrashTest.CLEANING, Ledger.OWNER,
            accepts, "a test"), () -> {});
    }

    private static Path path(long segment) {
        return LogScript.FOLDER.resolve(LogFolder.SEGMENTS).resolve(ZONE.segment(segment).fileName());
    }

    private void write(OpenLog parts, int index, boolean isRemoval) throws IOException {
        long cid = (long) Ledger.OWNER << 48 | index;
        int length = isRemoval ? 0 : random.nextInt(300, 900);
        int kind = isRemoval ? EntryKind.REMOVED : EntryKind.PUT;
        WriteBuffer buffer = parts.buffer();
        long record = buffer.claim(RingRecord.ENTRY_BYTES + length);
        long at = buffer.entry(buffer.firstEntry(record), cid, record, Ledger.OWNER, 0, kind, length);
        buffer.memory().asSlice(at, length).copyFrom(Ledger.content(record, cid, length));
        buffer.commit(record, false);
        newest.put(cid, new Ledger.Entry(cid, record, 0, kind, length));
        if (random.nextInt(8) == 0) {
            assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        }
    }

    private static void end(OpenLog parts) throws IOException {
        parts.buffer().stop(null);
        assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        parts.drainer().end();
        parts.close();
    }

    /** Puts each chunk in the first segments; then removes some and puts some again, repeatedly. */
    @BeforeEach
    void makeLog() throws IOException {
        OpenLog parts = open(disk, false);
        for (int index = 0; index < CHUNKS; index++) {
            write(parts, index, false);
        }
        for (int i = 0; i < 150; i++) {
            write(parts, random.nextInt(CHUNKS / 2), i % 3 == 0);
        }
        end(parts);
    }

    private static void flip(FaultDisk disk, Path path) throws IOException {
        try (DiskFile file = disk.open(path)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            file.read(one, WRONG_AT);
            file.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 8)}), WRONG_AT);
            file.force();
        }
    }

    /** Returns the newest of all readable entries. */
    private static Map<Long, Ledger.Entry> newest(Collection<Ledger.Entry> entries) {
        Map<Long, Ledger.Entry> found = new HashMap<>();
        entries.forEach(entry -> found.merge(entry.cid(), entry, (a, b) -> a.sequence() > b.sequence() ? a : b));
        return found;
    }

    private static Map<Long, Ledger.Entry> read(OpenLog parts, List<FileDamage> damage) throws IOException {
        Ledger ledger = new Ledger();
        damage.addAll(Ledger.read(parts, ZONE, ledger));
        return newest(ledger.entries);
    }

    private static Map<Long, Ledger.Entry> readAndClose(FaultDisk disk, int damaged) throws IOException {
        List<FileDamage> damage = new ArrayList<>();
        try (OpenLog parts = open(disk, true)) {
            Map<Long, Ledger.Entry> found = read(parts, damage);
            assertTrue(damage.size() <= damaged, damage::toString);
            return found;
        }
    }

    private static CleanJob.Result clean(OpenLog parts, CleanJob job) throws IOException {
        CleanJob.Result result = parts.cleaner().clean(job);
        parts.secondary().cleaned(result);
        return result;
    }

    @Test
    void damagedSegment_isLeftOutAndTheOthersAreCleaned() throws IOException {
        flip(disk, path(0));
        OpenLog parts = open(disk, true);
        CrashImages images = new CrashImages();
        List<FileDamage> damage = new ArrayList<>();
        Map<Long, Ledger.Entry> readable = read(parts, damage);
        assertEquals(1, damage.size());
        images.takeFrom(disk, 1, 2, image -> assertEquals(readable, readAndClose(image, 1)));
        CleanJob.Result result = clean(parts, parts.secondary().toClean(ZONE));
        assertTrue(result.gone().size() > 3 && !result.gone().contains(0L), result::toString);
        assertEquals(readable, read(parts, new ArrayList<>()));
        disk.beforeEachCall(() -> {});
        end(parts);
        flip(disk, path(0));
        assertEquals(newest, readAndClose(disk, 0), "what was damaged is old, or was not found again");
    }

    /** If a damaged segment and another one have the same entry, the entry stays in the other one. */
    @Test
    void copyOfWhatADamagedSegmentHas_isKept() throws IOException {
        flip(disk, path(1));
        OpenLog parts = open(disk, true);
        Map<Long, Ledger.Entry> readable = read(parts, new ArrayList<>());
        Ledger inDamaged = new Ledger();
        assertEquals(1, parts.reader().read(ZONE.segment(1), true, inDamaged).damage().size());
        Ledger.Entry entry = inDamaged.entries.stream().filter(readable::containsValue).findFirst().orElseThrow();
        parts.secondary().add(ZONE, entry.cid(), entry.sequence(), entry.kind(),
            Ledger.content(entry.sequence(), entry.cid(), entry.length()), 0, entry.length(), 0);
        parts.secondary().seal();
        long copy = parts.secondary().toClean(ZONE).segments().lastKey();
        assertTrue(clean(parts, parts.secondary().toClean(ZONE)).gone().contains(copy));
        end(parts);
        disk.delete(path(1));
        assertEquals(entry, readAndClose(disk, 1).get(entry.cid()));
    }

    /** Otherwise the live size would be too low, and writers of the zone would wait for cleanings that gain nothing. */
    @Test
    void copiesOfWhatADamagedSegmentHas_count() throws IOException {
        flip(disk, path(1));
        OpenLog parts = open(disk, true);
        Map<Long, Ledger.Entry> readable = read(parts, new ArrayList<>());
        for (Ledger.Entry entry : readable.values()) {
            parts.secondary().add(ZONE, entry.cid(), entry.sequence(), entry.kind(),
                Ledger.content(entry.sequence(), entry.cid(), entry.length()), 0, entry.length(), 0);
        }
        parts.secondary().seal();
        long live;
        try (DiskFile damaged = disk.openToRead(path(1))) {
            live = LiveEstimate.countedBytes(damaged.size(), LogCrashTest.CLEANING.segmentBytes());
        }
        for (Ledger.Entry entry : readable.values()) {
            live += entry.length() + SegmentWriter.ENTRY_BYTES;
        }
        assertEquals(live, clean(parts, parts.secondary().toClean(ZONE)).liveBytes());
        end(parts);
    }

    @Test
    void damagedSegment_thatIsGivenUp_isWrittenAnew() throws IOException {
        flip(disk, path(0));
        flip(disk, path(2));
        OpenLog parts = open(disk, true);
        List<FileDamage> damage = new ArrayList<>();
        Map<Long, Ledger.Entry> readable = read(parts, damage);
        assertEquals(2, damage.size());
        ZoneLogs zones = parts.secondary();
        zones.release(ZONE, zones.hold(ZONE), null, List.of(0L, 2L));
        assertEquals(Set.of(), zones.toClean(ZONE).givenUp(), "nobody has agreed yet");
        CompletableFuture<Boolean> over = zones.giveUpDamage();
        assertFalse(over.isDone());
        CrashImages images = new CrashImages();
        images.takeFrom(disk, 1, 2, image -> assertEquals(readable, readAndClose(image, 2)));
        CleanJob job = zones.nextToClean();
        assertTrue(job != null && job.givenUp().equals(Set.of(0L, 2L)));
        assertTrue(clean(parts, job).gone().containsAll(List.of(0L, 2L)) && over.join());
        assertEquals(Set.of(), zones.toClean(ZONE).givenUp());
        disk.beforeEachCall(() -> {});
        end(parts);
        assertEquals(readable, readAndClose(disk, 0));
        assertTrue(images.count() > 100 / CrashImages.EACH, () -> "images " + images.count());
    }

    /** Pages that the device refuses to read: the first one of a segment, one in its middle, and its end. */
    @Test
    void segment_thatTheDeviceRefusesToRead_isDamageLikeAnyOther() throws IOException {
        Set<Ledger.Entry> all = new HashSet<>(newest.values());
        disk.breakAt(path(0), 77);
        disk.breakAt(path(1), WRONG_AT);
        disk.breakAt(path(1), size(path(1)) - 1);
        OpenLog parts = open(disk, false);
        List<FileDamage> damage = new ArrayList<>();
        Map<Long, Ledger.Entry> readable = read(parts, damage);
        assertTrue(damage.stream().filter(it -> it.damage().why().startsWith("it cannot be read: Input/output"))
            .count() == 3, damage::toString);
        assertTrue(damage.stream().allMatch(it -> it.damage().bytes() <= 4096), damage::toString);
        Ledger first = new Ledger();
        parts.reader().read(ZONE.segment(0), true, first);
        assertTrue(first.entries.size() > 10, "what is behind the first page is read");
        assertTrue(readable.values().stream().filter(all::contains).count() > CHUNKS / 2, readable::toString);
        CleanJob.Result result = clean(parts, parts.secondary().toClean(ZONE));
        assertTrue(result.gone().size() > 3 && !result.gone().contains(0L) && !result.gone().contains(1L),
            result::toString);
        assertEquals(readable, read(parts, new ArrayList<>()));
        ZoneLogs zones = parts.secondary();
        zones.release(ZONE, zones.hold(ZONE), null, List.of(0L, 1L));
        CompletableFuture<Boolean> over = zones.giveUpDamage();
        assertFalse(over.isDone());
        assertTrue(clean(parts, zones.toClean(ZONE)).gone().containsAll(List.of(0L, 1L)) && over.join());
        end(parts);
        assertEquals(readable, readAndClose(disk, 0));
    }

    private long size(Path path) throws IOException {
        try (DiskFile file = disk.open(path)) {
            return file.size();
        }
    }

    /** A missing segment leaves nothing to copy or delete. */
    @Test
    void missingSegment_thatIsGivenUp_isRemoved() throws IOException {
        disk.delete(path(1));
        OpenLog parts = open(disk, true);
        List<FileDamage> damage = new ArrayList<>();
        Map<Long, Ledger.Entry> readable = read(parts, damage);
        assertEquals(1, damage.size());
        ZoneLogs zones = parts.secondary();
        ZoneLogs.Hold held = zones.hold(ZONE);
        zones.release(ZONE, held, null, List.of(1L));
        zones.release(ZONE, held, null, List.of());
        CompletableFuture<Boolean> over = zones.giveUpDamage();
        assertFalse(over.isDone());
        clean(parts, zones.toClean(ZONE));
        assertTrue(over.join());
        end(parts);
        assertEquals(readable, readAndClose(disk, 0));
    }

    /** Unreadable manifests are not reported at the next opening, nor the segments that only they named. */
    @Test
    void damagedManifest_thatIsGivenUp_isReplaced() throws IOException {
        for (int number : new int[] {40, 43}) {
            try (DiskFile file = disk.create(LogScript.FOLDER.resolve("manifest-" + number), 10)) {
                file.force();
            }
        }
        disk.forceFolder(LogScript.FOLDER);
        OpenLog parts = open(disk, true);
        assertEquals(2, parts.damage().size());
        CrashImages images = new CrashImages();
        images.takeFrom(disk, 1, 2, image -> assertEquals(newest, readAndClose(image, 0)));
        assertTrue(parts.secondary().giveUpDamage().join());
        disk.beforeEachCall(() -> {});
        end(parts);
        OpenLog again = open(disk, false);
        assertEquals(newest, read(again, new ArrayList<>()));
        assertEquals(1, NumberedFiles.list(disk, LogScript.FOLDER, FoundManifest.PREFIX).size());
        end(again);
    }

    /**
     * The newest manifest is damaged, and the one before says that the log is closed. Ring and frames are of a later
     * time: none of their entries may reappear behind what is written from now on. A crash on the way does not hide the
     * damage.
     */
    @Test
    void damagedManifest_besideAnOlderClosedOne_revivesNothing() throws IOException {
        long number = NumberedFiles.list(disk, LogScript.FOLDER, FoundManifest.PREFIX).last();
        Path older = LogScript.FOLDER.resolve(NumberedFiles.name(FoundManifest.PREFIX, number));
        ByteBuffer closed = NumberedFiles.read(disk, older);
        OpenLog lost = open(disk, false);
        for (int i = 0; i < 60; i++) {
            write(lost, i % CHUNKS, false);
        }
        FaultDisk left = disk.killed();
        left.delete(older);
        put(left, older, closed);
        put(left, LogScript.FOLDER.resolve(NumberedFiles.name(FoundManifest.PREFIX, number + 1)),
            ByteBuffer.allocateDirect(10));
        try (OpenLog parts = open(left, true)) {
            assertEquals(1, parts.damage().size(), parts.damage()::toString);
            for (int index = 0; index < CHUNKS; index++) {
                long cid = (long) Ledger.OWNER << 48 | index;
                long record = parts.buffer().claim(RingRecord.ENTRY_BYTES);
                parts.buffer().entry(parts.buffer().firstEntry(record), cid, record, Ledger.OWNER, 0,
                    EntryKind.REMOVED, 0);
                parts.buffer().commit(record, false);
            }
            try (OpenLog again = open(left.killed(), true)) {
                assertEquals(1, again.damage().size(), "nobody was told of it yet: " + again.damage());
                Map<Long, Ledger.Entry> found = read(again, new ArrayList<>());
                assertEquals(CHUNKS, found.size());
                found.values().forEach(entry -> assertEquals(EntryKind.REMOVED, entry.kind(), entry::toString));
            }
        }
    }

    private static void put(FaultDisk disk, Path path, ByteBuffer bytes) throws IOException {
        try (DiskFile file = disk.create(path, bytes.limit())) {
            file.write(bytes.rewind(), 0);
            file.force();
        }
        disk.forceFolder(LogScript.FOLDER);
    }

    /** With the threads of a log: damage found by reading is given up, and the next opening needs no consent. */
    @Test
    void damage_thatIsGivenUp_isNotToldAgain() throws Exception {
        flip(disk, path(1));
        LogConfig never = new LogConfig(1 << 14, 1 << 14, 4096, 24_576, 2, 3000, 4096, 2, 1, 0, 0);
        Set<Ledger.Entry> readable;
        try (RecoveryLog log = openThreads(never)) {
            Ledger ledger = new Ledger();
            assertEquals(1, log.read(ZONE, ledger).size());
            readable = new HashSet<>(newest(ledger.entries).values());
            assertTrue(log.giveUpDamage());
            assertEquals(1, log.stats().cleanings());
        }
        Set<String> left = Set.copyOf(disk.list(LogScript.FOLDER.resolve(LogFolder.SEGMENTS)));
        assertTrue(left.contains(ZONE.segment(0).fileName()) && !left.contains(ZONE.segment(1).fileName())
            && left.contains(ZONE.segment(2).fileName()), left::toString);
        try (RecoveryLog log = openThreads(never)) {
            Ledger ledger = new Ledger();
            assertEquals(List.of(), log.read(ZONE, ledger));
            assertEquals(readable, new HashSet<>(newest(ledger.entries).values()));
        }
    }

    private RecoveryLog openThreads(LogConfig config) throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk)
            .withChance(new SplittableRandom(7)::nextLong), LogScript.FOLDER, config, Ledger.OWNER, false, "a test"));
    }
}
