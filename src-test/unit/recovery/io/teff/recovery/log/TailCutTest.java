package io.teff.recovery.log;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.recovery.log.file.TailCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a cut of a file is atomic, whenever the machine dies or the disk fails; after the cut, the removed tail has
 * been saved. Method: images before each call, and each call made to fail.
 */
final class TailCutTest {
    private static final String FILE = "segments/some";
    private static final byte[] BYTES = new byte[5000];

    static {
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = (byte) (i * 31 + i / 256);
        }
    }

    private static FaultDisk disk() throws IOException {
        FaultDisk disk = new FaultDisk();
        disk.createFolders(LogScript.FOLDER.resolve(LogFolder.SEGMENTS));
        try (DiskFile file = disk.create(LogScript.FOLDER.resolve(FILE), 0)) {
            file.write(ByteBuffer.wrap(BYTES), 0);
            file.force();
        }
        for (Path folder : List.of(FaultDisk.ROOT, LogScript.FOLDER, LogScript.FOLDER.resolve(LogFolder.SEGMENTS))) {
            disk.forceFolder(folder);
        }
        return disk;
    }

    private static ByteBuffer part(int from, int end) {
        return ByteBuffer.wrap(BYTES, from, end - from).slice();
    }

    /** Returns whether the file is cut. */
    private static boolean check(Disk disk, int at) throws IOException {
        ByteBuffer file = NumberedFiles.read(disk, LogScript.FOLDER.resolve(FILE));
        if (file.equals(part(0, BYTES.length))) {
            return false;
        }
        assertEquals(part(0, at), file);
        assertEquals(part(at, BYTES.length), NumberedFiles.read(disk,
            LogScript.FOLDER.resolve("segments/cut-some-0")));
        return true;
    }

    @Test
    void cut_withACrashAtAnyCall_leavesTheOldFileOrTheNewOneAndTheCopy() throws IOException {
        FaultDisk disk = disk();
        CrashImages images = new CrashImages(1);
        images.takeFrom(disk, 1, 20, image -> check(image, 3000));
        assertEquals("segments/cut-some-0", TailCut.cut(disk, LogScript.FOLDER, FILE, 3000));
        images.takeNow(disk, 1, 20, image -> assertTrue(check(image, 3000)));
        System.out.println("TailCutTest: " + images.count() + " images");
    }

    @Test
    void cut_withAFailureAtAnyCall_leavesTheOldFileOrTheNewOneAndTheCopy() throws IOException {
        int failures = 0;
        for (Call call : Call.values()) {
            for (int n = 0; n < 2; n++) {
                FaultDisk disk = disk();
                disk.fail(call, n, Fault.BROKEN);
                long before = disk.calls(call);
                try {
                    TailCut.cut(disk, LogScript.FOLDER, FILE, 1);
                } catch (IOException _) {
                    failures++;
                }
                long calls = disk.calls(call) - before;
                disk.heal();
                boolean isCut = check(disk, 1);
                assertTrue(isCut || calls > n, () -> call + " did not fail, and the file is not cut");
            }
        }
        System.out.println("TailCutTest: " + failures + " failures");
        assertTrue(failures >= 10, "" + failures);
    }

    /** The saved tail of an earlier cut is neither lost nor an obstacle. */
    @Test
    void cut_again_keepsBothEnds() throws IOException {
        FaultDisk disk = disk();
        disk.failFrom(Call.RENAME, 0, Fault.BROKEN);
        assertThrows(IOException.class, () -> TailCut.cut(disk, LogScript.FOLDER, FILE, 3000));
        disk.heal();
        assertEquals("segments/cut-some-1", TailCut.cut(disk, LogScript.FOLDER, FILE, 4000));
        assertEquals("segments/cut-some-2", TailCut.cut(disk, LogScript.FOLDER, FILE, 100));
        assertEquals(part(4000, BYTES.length), NumberedFiles.read(disk,
            LogScript.FOLDER.resolve("segments/cut-some-1")));
        assertEquals(part(100, 4000), NumberedFiles.read(disk, LogScript.FOLDER.resolve("segments/cut-some-2")));
        assertEquals(part(0, 100), NumberedFiles.read(disk, LogScript.FOLDER.resolve(FILE)));
    }
}
