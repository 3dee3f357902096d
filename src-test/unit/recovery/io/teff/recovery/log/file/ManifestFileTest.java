package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.CrashImages;
import io.teff.recovery.log.Ledger;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: the records of a manifest are present after any crash, in order, up to the one being written; a full disk can
 * recover, a failure is final. Method: a script that makes the file long several times, an image before each call, and
 * each call made to fail in turn.
 */
final class ManifestFileTest {
    private static final int LONG = 400;
    private static final ZoneId ZONE = new ZoneId(7, 3);
    private static final int LONGEST_RECORD = 46;

    private static ManifestFile open(Disk disk) throws IOException {
        return Objects.requireNonNull(ManifestFile.open(disk, FaultDisk.ROOT, new LogFailure(), LONG));
    }

    /** Records to write: segments are added and removed, so that the state stays small. */
    private static List<ManifestRecord> script() {
        List<ManifestRecord> records = new ArrayList<>();
        records.add(new ManifestRecord.Opened(new UUID(1, 2)));
        records.add(new ManifestRecord.ZoneMade(ZONE));
        for (long segment = 0; segment < 20; segment++) {
            records.add(new ManifestRecord.SegmentMade(ZONE.segment(segment)));
            records.add(new ManifestRecord.SegmentSealed(ZONE.segment(segment)));
            records.add(new ManifestRecord.SegmentsReplaced(ZONE, List.of(), List.of(segment)));
        }
        records.add(new ManifestRecord.Trimmed(5));
        records.add(new ManifestRecord.Closed(8, 9));
        return records;
    }

    /** Returns the state after the first records of the script. */
    private static List<ManifestRecord> state(List<ManifestRecord> script, int count) {
        ManifestState state = new ManifestState();
        state.apply(Ledger.LOG);
        state.apply(new ManifestRecord.Closed(0, 0));
        script.subList(0, count).forEach(state::apply);
        return state.records();
    }

    @Test
    void append_thenOpen_saysTheSame() throws IOException {
        FaultDisk disk = new FaultDisk();
        List<ManifestRecord> script = script();
        assertNull(ManifestFile.open(disk, FaultDisk.ROOT, new LogFailure(), LONG));
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
        for (int i = 0; i < script.size(); i++) {
            assertEquals(state(script, i), manifest.state().records());
            manifest.close();
            manifest = open(disk);
            manifest.append(script.get(i));
        }
        manifest.close();
        assertEquals(state(script, script.size()), open(disk).state().records());
        assertEquals(2, disk.list(FaultDisk.ROOT).size(), disk.list(FaultDisk.ROOT)::toString);
        assertTrue(!disk.list(FaultDisk.ROOT).contains("manifest-1"));
    }

    @Test
    void append_ofWhatCannotBe_changesNothing() throws IOException {
        FaultDisk disk = new FaultDisk();
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
        long writes = disk.calls(Call.WRITE);
        assertThrows(IllegalArgumentException.class, () -> manifest.append(new ManifestRecord.ZoneMade(ZONE)));
        assertEquals(writes, disk.calls(Call.WRITE));
        manifest.append(new ManifestRecord.Opened(new UUID(1, 2)));
    }

    @Test
    void crashAtEachCall_leavesWhatWasSaid() throws IOException {
        FaultDisk disk = new FaultDisk();
        List<ManifestRecord> script = script();
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
        CrashImages images = new CrashImages();
        int[] said = {0};
        images.takeFrom(disk, 1, 5, image -> {
            List<ManifestRecord> found = open(image).state().records();
            boolean next = said[0] < script.size() && found.equals(state(script, said[0] + 1));
            assertTrue(next || found.equals(state(script, said[0])), () -> said[0] + " were said, found " + found);
        });
        for (; said[0] < script.size(); said[0]++) {
            manifest.append(script.get(said[0]));
        }
        System.out.println("ManifestFileTest: " + images.count() + " images");
    }

    /** A kill leaves unsynced records; the next process syncs them before a power cut can remove them. */
    @Test
    void powerCutAfterAKill_leavesSyncedRecords() throws IOException {
        FaultDisk disk = new FaultDisk();
        List<ManifestRecord> script = script();
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
        CrashImages images = new CrashImages();
        images.takeKindsFrom(disk, 1, 0, (image, isKill) -> {
            if (isKill) {
                ManifestFile found = open(image);
                ManifestRecord more = new ManifestRecord.Opened(new UUID(5, 6));
                List<ManifestRecord> before = found.state().records();
                ManifestState after = new ManifestState();
                before.forEach(after::apply);
                after.apply(more);
                new CrashImages().takeFrom(image, images.count(), 5, again -> {
                    List<ManifestRecord> left = open(again).state().records();
                    assertTrue(left.equals(before) || left.equals(after.records()), left::toString);
                });
                found.append(more);
            }
        });
        for (ManifestRecord record : script) {
            manifest.append(record);
        }
    }

    @Test
    void fullDiskAtEachCall_canPass() throws IOException {
        List<ManifestRecord> script = script();
        for (Call call : new Call[] {Call.CREATE, Call.WRITE, Call.RENAME}) {
            int failed = 1;
            for (int n = 0; failed > 0; n++) {
                FaultDisk disk = new FaultDisk();
                ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
                long before = disk.calls(call);
                disk.fail(call, n, Fault.FULL);
                if (call == Call.WRITE) {
                    disk.writeShort(n, Fault.FULL, 5);
                }
                for (ManifestRecord record : script) {
                    try {
                        manifest.append(record);
                    } catch (DiskFullException _) {
                        manifest.append(record);
                    }
                }
                failed = disk.calls(call) > before + n ? 1 : 0;
                manifest.close();
                assertEquals(state(script, script.size()), open(disk).state().records(), call + " " + n);
                assertEquals(2, disk.list(FaultDisk.ROOT).size(), call + " " + n + disk.list(FaultDisk.ROOT));
            }
        }
    }

    @Test
    void failureAtEachCall_isTheEnd() throws IOException {
        List<ManifestRecord> script = script();
        int failures = 0;
        for (Call call : new Call[] {Call.CREATE, Call.WRITE, Call.FORCE, Call.RENAME, Call.FORCE_FOLDER,
            Call.LIST}) {
            for (Fault fault : call == Call.FORCE || call == Call.FORCE_FOLDER ? Fault.values()
                : new Fault[] {Fault.BROKEN}) {
                boolean failed = true;
                for (int n = 0; failed; n++) {
                    failed = failsForEver(script, call, fault, n);
                    failures++;
                }
            }
        }
        System.out.println("ManifestFileTest: " + failures + " failures");
    }

    private static boolean failsForEver(List<ManifestRecord> script, Call call, Fault fault, int n)
        throws IOException {
        FaultDisk disk = new FaultDisk();
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
        disk.fail(call, n, fault);
        int said = 0;
        for (ManifestRecord record : script) {
            try {
                manifest.append(record);
                said++;
            } catch (IOException e) {
                int found = said;
                assertTrue(!(e instanceof DiskFullException), () -> call + " " + n);
                assertThrows(IOException.class, () -> manifest.append(new ManifestRecord.Opened(new UUID(3, 4))));
                new CrashImages().takeNow(disk, n, 5, image -> {
                    List<ManifestRecord> left = open(image).state().records();
                    assertTrue(left.equals(state(script, found)) || left.equals(state(script, found + 1)),
                        () -> call + " " + n + ": " + left);
                });
                return true;
            }
        }
        return false;
    }

    @Test
    void open_deletesOtherManifestsAndNothingElse() throws IOException {
        FaultDisk disk = new FaultDisk();
        ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG).close();
        List<String> others = List.of("manifest", "manifest-", "manifest-01", "manifest-0.new.bak", "manifest-1.bak",
            "manifest-copy", "manifest-x.new", "manifest.new", "manifesto");
        for (String name : others) {
            disk.create(FaultDisk.ROOT.resolve(name), 3).close();
        }
        for (String name : List.of("manifest-0", "manifest-1.new", "manifest-2.new", "manifest-copy-0",
            "manifest-copy-1.new")) {
            disk.create(FaultDisk.ROOT.resolve(name), 3).close();
        }
        ManifestFile manifest = open(disk);
        List<String> left = new ArrayList<>(others);
        left.addAll(List.of("manifest-1", "manifest-copy-1"));
        assertEquals(left.stream().sorted().toList(), disk.list(FaultDisk.ROOT));
        script().forEach(record -> {
            try {
                manifest.append(record);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(disk.list(FaultDisk.ROOT).containsAll(others), disk.list(FaultDisk.ROOT)::toString);
        assertEquals(others.size() + 2, disk.list(FaultDisk.ROOT).size());
    }

    /** A replaced manifest no longer counts, whether or not its file is deleted. */
    @Test
    void oldManifest_thatCannotBeDeleted_isDeletedLater() throws IOException {
        FaultDisk disk = new FaultDisk();
        List<ManifestRecord> script = script();
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG);
        disk.failFrom(Call.DELETE, 0, Fault.BROKEN);
        for (ManifestRecord record : script) {
            manifest.append(record);
        }
        manifest.close();
        int left = disk.list(FaultDisk.ROOT).size();
        assertTrue(left > 3, () -> "left " + left);
        open(disk).close();
        assertEquals(left, disk.list(FaultDisk.ROOT).size());
        disk.heal();
        assertEquals(state(script, script.size()), open(disk).state().records());
        assertEquals(2, disk.list(FaultDisk.ROOT).size());
    }

    @Test
    void open_ofADamagedManifest_saysSoAndKeepsIt() throws IOException {
        FaultDisk disk = new FaultDisk();
        ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), LONG).close();
        try (DiskFile file = disk.create(FaultDisk.ROOT.resolve("manifest-2"), 0)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
        }
        disk.create(FaultDisk.ROOT.resolve("manifest-x"), 0).close();
        ManifestFile manifest = open(disk);
        assertEquals(List.of("manifest-2"), manifest.damage().stream().map(FileDamage::file).toList());
        assertTrue(disk.list(FaultDisk.ROOT).contains("manifest-2"));
        disk.delete(FaultDisk.ROOT.resolve("manifest-1"));
        disk.delete(FaultDisk.ROOT.resolve("manifest-copy-1"));
        assertThrows(IOException.class, () -> open(disk));
    }

    // ---- the copy ----

    private static FaultDisk scripted() throws IOException {
        FaultDisk disk = new FaultDisk();
        try (ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), 1 << 16)) {
            for (ManifestRecord record : script()) {
                manifest.append(record);
            }
        }
        return disk;
    }

    private static byte[] bytes(FaultDisk disk, String name) throws IOException {
        ByteBuffer read = NumberedFiles.read(disk, FaultDisk.ROOT.resolve(name));
        byte[] bytes = new byte[read.remaining()];
        read.get(bytes);
        return bytes;
    }

    private static void put(FaultDisk disk, String name, byte[] bytes) throws IOException {
        disk.delete(FaultDisk.ROOT.resolve(name));
        try (DiskFile file = disk.create(FaultDisk.ROOT.resolve(name), 0)) {
            file.write(ByteBuffer.wrap(bytes), 0);
        }
    }

    /** Opens twice: the first opening reads from the other file and replaces both. */
    private static void assertHealed(FaultDisk image, String what) throws IOException {
        List<ManifestRecord> all = state(script(), script().size());
        try (ManifestFile manifest = open(image)) {
            assertEquals(List.of(), manifest.damage(), what);
            assertEquals(all, manifest.state().records(), what);
        }
        List<String> names = image.list(FaultDisk.ROOT);
        assertEquals(2, names.size(), what + names);
        assertArrayEquals(bytes(image, names.getFirst()), bytes(image, names.getLast()), what);
        assertEquals(all, open(image).state().records(), what);
    }

    @Test
    void oneFile_cutZeroedOrFlippedAnywhere_isReplacedFromTheOther() throws IOException {
        FaultDisk disk = scripted();
        for (String name : List.of("manifest-1", "manifest-copy-1")) {
            byte[] whole = bytes(disk, name);
            for (int at = 0; at < whole.length; at += Form.size(7, 1)) {
                FaultDisk cut = disk.killed();
                put(cut, name, Arrays.copyOf(whole, at));
                assertHealed(cut, name + " cut to " + at);
                FaultDisk zeroed = disk.killed();
                put(zeroed, name, Arrays.copyOf(Arrays.copyOf(whole, at), whole.length));
                assertHealed(zeroed, name + " zeroed from " + at);
                FaultDisk flipped = disk.killed();
                byte[] wrong = whole.clone();
                wrong[at] ^= (byte) (1 << at % Byte.SIZE);
                put(flipped, name, wrong);
                assertHealed(flipped, name + " flipped at " + at);
            }
            FaultDisk missing = disk.killed();
            missing.delete(FaultDisk.ROOT.resolve(name));
            assertHealed(missing, name + " missing");
        }
    }

    /** Different records are damaged in the two files: each is read where it is complete. */
    @Test
    void bothFiles_damagedInDifferentRecords_haveEverythingTogether() throws IOException {
        FaultDisk disk = scripted();
        byte[] whole = bytes(disk, "manifest-1");
        for (int at = 0; at < whole.length / 2; at += Form.size(7, 1)) {
            FaultDisk image = disk.killed();
            byte[] wrong = whole.clone();
            wrong[at] ^= 1;
            put(image, "manifest-1", wrong);
            put(image, "manifest-copy-1", Arrays.copyOf(whole, whole.length / 2 + LONGEST_RECORD + at));
            byte[] cut = bytes(image, "manifest-copy-1");
            if (cut.length < whole.length) {
                assertHealed(image, "flipped at " + at);
            }
        }
    }

    @Test
    void fullDisk_forTheCopyAlone_isNoFailure() throws IOException {
        FaultDisk disk = new FaultDisk();
        ManifestFile manifest = ManifestFile.create(disk, FaultDisk.ROOT, Ledger.LOG, new LogFailure(), 1 << 16);
        disk.fail(Call.WRITE, 1, Fault.FULL);
        List<ManifestRecord> script = script();
        manifest.append(script.getFirst());
        assertEquals(state(script, 1), open(disk.killed()).state().records());
        manifest.append(script.get(1));
        FaultDisk image = disk.killed();
        List<String> names = image.list(FaultDisk.ROOT);
        assertArrayEquals(bytes(image, names.getFirst()), bytes(image, names.getLast()));
        assertEquals(state(script, 2), open(image).state().records());
    }

    /** A file that the device refuses to read is as good as missing. */
    @Test
    void oneFile_thatTheDeviceRefuses_isReplacedFromTheOther() throws IOException {
        for (int n = 0; n < 2; n++) {
            FaultDisk image = scripted();
            image.fail(Call.READ, n, Fault.BROKEN);
            assertHealed(image, "read " + n);
        }
        FaultDisk both = scripted();
        both.failFrom(Call.READ, 0, Fault.BROKEN);
        assertThrows(IOException.class, () -> open(both));
    }
}
