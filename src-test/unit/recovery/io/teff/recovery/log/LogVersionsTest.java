package io.teff.recovery.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.DiskFile;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestWriter;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.ManifestFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: a log of version 1 has version 4 before its first entry that version 1 lacks; a log of an unknown version is
 * refused with its version.
 */
final class LogVersionsTest {
    private static final int LONG = 1 << 20;

    private final FaultDisk disk = new FaultDisk();

    /** Makes a manifest of a version. */
    private void make(int version) throws IOException {
        disk.createFolders(LogScript.FOLDER.resolve(LogFolder.SEGMENTS));
        ManifestRecord.Log log = new ManifestRecord.Log(5, 6, LogScript.CONFIG.segmentBytes(), Ledger.OWNER, version);
        List<ManifestRecord> records = List.of(log, new ManifestRecord.Trimmed(0), new ManifestRecord.Closed(0, 0),
            new ManifestRecord.Begun(3, 0));
        for (String name : List.of("manifest-0", "manifest-copy-0")) {
            long at = 0;
            try (DiskFile file = disk.create(LogScript.FOLDER.resolve(name), 0)) {
                for (ManifestRecord record : records) {
                    ByteBuffer bytes = ManifestWriter.bytes(record);
                    int length = bytes.remaining();
                    file.write(bytes, at);
                    at += length;
                }
                file.force();
            }
        }
    }

    @Test
    void logOfVersion1_openedForWriting_hasVersion4() throws IOException {
        make(FileHead.VERSION);
        OpenLog parts = LogScript.open(disk, LogScript.CONFIG);
        Ledger.write(parts.buffer(), false, (long) Ledger.OWNER << 48 | 5, 100);
        assertEquals(Drainer.Result.DONE, parts.drainer().drain());
        parts.close();
        ManifestFile found = ManifestFile.open(disk.killed(), LogScript.FOLDER, new LogFailure(), LONG);
        assertTrue(found != null && found.state().log().version() == FileHead.VERSION_OF_BYTES);
        found.close();
    }

    @Test
    void logOfALaterVersion_isRefusedWithIt() throws IOException {
        make(8);
        IOException refused = assertThrows(IOException.class, () -> LogScript.open(disk, LogScript.CONFIG));
        assertTrue(String.valueOf(refused.getMessage()).contains("its version is 8, not 1, 2 or 4"),
            refused::getMessage);
    }
}
