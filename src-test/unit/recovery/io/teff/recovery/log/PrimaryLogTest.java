package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.format.FrameWriter;
import io.teff.recovery.format.RingScan;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.read.PrimaryReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: each written frame is present after any crash until it is trimmed, and nothing else except the frame being
 * written; files are reused; a full disk can recover, a failure is final. Method: a script of frames and trims, an
 * image before each call, and each call made to fail in turn.
 */
final class PrimaryLogTest {
    private static final int FILE = 4096 * 6;
    private static final int FRAME = 4096 * 4;
    private static final int RING = 1 << 14;
    private static final int FRAMES = 25;

    /** A log with random frames, and the content that it must have. */
    private static final class Script {
        final FaultDisk disk = new FaultDisk();
        final SplittableRandom random;
        final LogFailure failure = new LogFailure();
        final PrimaryLog primary;
        final WriteBuffer buffer;
        final RingScan scan;
        /** Positions of the records of each frame, including the one being written. */
        final List<List<Long>> frames = new ArrayList<>();
        long firstFrame = 100;
        int written;

        Script(long seed) throws IOException {
            random = new SplittableRandom(seed);
            buffer = WriteBuffer.open(Platform.SYSTEM.withDisk(disk), FaultDisk.ROOT, Ledger.LOG, RING, RING, () -> {});
            scan = buffer.scan();
            disk.createFolders(folder());
            disk.forceFolder(FaultDisk.ROOT);
            primary = PrimaryLog.open(disk, folder(), Ledger.LOG, FILE, FRAME, firstFrame, failure);
        }

        private static Path folder() {
            return FaultDisk.ROOT.resolve("log");
        }

        /** Puts records into a frame and writes it. */
        void next() throws IOException {
            if (frames.size() == written) {
                frames.add(new ArrayList<>());
                for (int records = random.nextInt(1, 5); records > 0; records--) {
                    frames.getLast().add(Ledger.write(buffer, random.nextBoolean(), records, random.nextInt(3000)));
                }
            }
            int end = FrameWriter.HEAD_BYTES;
            MemorySegment frame = primary.frame(frames.getLast().stream().mapToLong(scan::bytes).sum());
            for (long position : frames.getLast()) {
                end = scan.copy(position, frame, end);
            }
            primary.write(frames.getLast().getFirst(), end - FrameWriter.HEAD_BYTES);
            buffer.drained(buffer.tail());
            written++;
            assertEquals(100 + written, primary.nextFrame());
        }

        void maybeTrim() {
            if (random.nextInt(3) == 0 && primary.usedCount() > 1) {
                firstFrame = random.nextBoolean() ? primary.secondFile() : primary.nextFrame();
                primary.trim(firstFrame);
            }
        }

        void check(Disk image) throws IOException {
            Ledger found = new Ledger();
            PrimaryReader reader = new PrimaryReader(image, folder(), Ledger.LOG, firstFrame);
            reader.read(found);
            assertEquals(List.of(), reader.damage());
            List<Long> acknowledged = positions(written);
            assertTrue(found.positions.equals(acknowledged) || found.positions.equals(positions(frames.size())),
                () -> "first frame " + firstFrame + ", written " + written + ": " + found.positions + " instead of "
                    + acknowledged);
            assertTrue(reader.next() >= 100 + written, () -> reader.next() + " " + written);
        }

        private List<Long> positions(int end) {
            return frames.subList((int) firstFrame - 100, end).stream().flatMap(List::stream).toList();
        }
    }

    @Test
    void crashAtEachCall_leavesWhatWasWritten() throws IOException {
        CrashImages images = new CrashImages();
        for (long seed = 0; seed < 4; seed++) {
            Script script = new Script(seed);
            images.takeFrom(script.disk, seed, 6, script::check);
            for (int i = 0; i < FRAMES; i++) {
                script.next();
                script.maybeTrim();
            }
            images.takeNow(script.disk, seed, 6, script::check);
        }
        System.out.println("PrimaryLogTest: " + images.count() + " images");
    }

    /** Returns a script whose last file has no room for the longest frame. */
    private static Script filled(int files) throws IOException {
        for (long seed = 0;; seed++) {
            Script script = new Script(seed);
            while (script.primary.usedCount() < files) {
                script.next();
            }
            script.next();                                      // two pages of five at least are written
            if (script.primary.usedCount() == files) {
                return script;
            }
        }
    }

    /** A second file is made with whatever room there is; a third one leaves room for segments. */
    @Test
    void hasRoomFor_aThirdFile_leavesRoomForSegments() throws IOException {
        int spare = 3 * 4096;
        Script one = filled(1);
        one.disk.fillUp(FILE);
        assertTrue(one.primary.hasRoomFor(one.primary.recordsBytesMax(), spare));
        assertEquals(2, one.disk.list(Script.folder()).size());
        Script two = filled(2);
        two.disk.fillUp(FILE + spare - 4096);
        assertFalse(two.primary.hasRoomFor(two.primary.recordsBytesMax(), spare));
        assertEquals(2, two.disk.list(Script.folder()).size());
        two.disk.fillUp(FILE + spare);
        assertTrue(two.primary.hasRoomFor(two.primary.recordsBytesMax(), spare));
        assertEquals(3, two.disk.list(Script.folder()).size());
    }

    @Test
    void trim_ofAllButTheLastFile_usesFilesAgain() throws IOException {
        Script script = new Script(1);
        for (int i = 0; i < 100; i++) {
            script.next();
            if (script.primary.usedCount() == 3) {
                script.firstFrame = script.primary.secondFile();
                script.primary.trim(script.firstFrame);
                assertEquals(2, script.primary.usedCount());
            }
            script.check(script.disk);
        }
        assertEquals(List.of("primary-0", "primary-1", "primary-2"), script.disk.list(Script.folder()));
        script.primary.close();
        script.disk.create(Script.folder().resolve("primary-7"), 5).close();
        try (PrimaryLog again = PrimaryLog.open(script.disk, Script.folder(), Ledger.LOG, FILE, FRAME, 300,
            new LogFailure())) {
            assertEquals(0, again.usedCount());
            assertEquals(3, script.disk.list(Script.folder()).size());
        }
    }

    @Test
    void fullDiskAtEachCall_canPass() throws IOException {
        for (Call call : new Call[] {Call.CREATE, Call.WRITE}) {
            boolean failed = true;
            for (int n = 0; failed; n++) {
                Script script = new Script(5);
                script.disk.fail(call, n, Fault.FULL);
                if (call == Call.WRITE) {
                    script.disk.writeShort(n, Fault.FULL, 5000);
                }
                failed = false;
                for (int i = 0; i < FRAMES; i++) {
                    try {
                        script.next();
                    } catch (DiskFullException _) {
                        failed = true;
                        new CrashImages().takeNow(script.disk, n, 3, script::check);
                        script.next();
                    }
                    script.maybeTrim();
                }
                new CrashImages().takeNow(script.disk, n, 3, script::check);
            }
        }
    }

    @Test
    void failureAtEachCall_isTheEnd() throws IOException {
        int failures = 0;
        for (Call call : new Call[] {Call.CREATE, Call.WRITE, Call.FORCE, Call.FORCE_FOLDER}) {
            for (Fault fault : call == Call.FORCE || call == Call.FORCE_FOLDER ? Fault.values()
                : new Fault[] {Fault.BROKEN}) {
                boolean failed = true;
                for (int n = 0; failed; n++) {
                    failed = failsForEver(call, fault, n);
                    failures++;
                }
            }
        }
        System.out.println("PrimaryLogTest: " + failures + " failures");
    }

    private static boolean failsForEver(Call call, Fault fault, int n) throws IOException {
        Script script = new Script(n);
        script.disk.fail(call, n, fault);
        for (int i = 0; i < FRAMES; i++) {
            try {
                script.next();
                script.maybeTrim();
            } catch (IOException e) {
                assertTrue(!(e instanceof DiskFullException), () -> call + " " + n);
                long writes = script.disk.calls(Call.WRITE);
                assertThrows(IOException.class, script::next);
                assertEquals(writes, script.disk.calls(Call.WRITE));
                new CrashImages().takeNow(script.disk, n, 5, script::check);
                return true;
            }
        }
        return false;
    }

    /** A synced frame is damaged: within a file, at the start of a file, and by the loss of a file. */
    @Test
    void read_ofDamagedFrames_saysSo() throws IOException {
        for (int what = 0; what < 4; what++) {
            Script script = new Script(3);
            while (script.primary.usedCount() < 4) {
                script.next();
            }
            Path second = Script.folder().resolve("primary-1");
            if (what == 3) {
                script.disk.delete(second);
            } else {
                try (DiskFile file = script.disk.open(second)) {
                    file.write(ByteBuffer.wrap(new byte[] {1}), new long[] {25, 4096 + 60, 8192 + 60}[what]);
                }
            }
            Ledger found = new Ledger();
            PrimaryReader reader = new PrimaryReader(script.disk, Script.folder(), Ledger.LOG, 100);
            reader.read(found);
            assertTrue(!reader.damage().isEmpty(), "what " + what);
            assertTrue(script.positions(script.written).containsAll(found.positions));
        }
    }
}
