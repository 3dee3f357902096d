package io.teff.recovery.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.LockedException;
import io.teff.engine.os.Platform;
import io.teff.engine.report.Progress;
import io.teff.recovery.BackupReport;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.disk.FrozenDisk;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.WriteBuffer;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.recovery.log.read.LogReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a backup of a folder has what opening the folder would find, in the same state; and a copy of a folder made in
 * another way while its log was open is noticed, while a copy of a closed one is a log like any other.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LogBackupTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("log");
    private static final Path TARGET = FaultDisk.ROOT.resolve("copy");
    private static final LogConfig CONFIG = new LogConfig(1 << 14, 1 << 15, 4096, 24_576, 2, Integer.MAX_VALUE, 4096,
        4, 1_000_000_000_000L, 0, 0);
    private static final int OWNER = 3;

    private final FaultDisk disk = new FaultDisk();

    private static RecoveryLog open(Disk disk, Path folder, boolean accepts) throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk)
            .withChance(new SplittableRandom(1)::nextLong), folder, CONFIG, OWNER, accepts, "a test"));
    }

    /** Writes records, and syncs all but the last ones. */
    private static void write(RecoveryLog log) {
        WriteBuffer buffer = log.buffer();
        for (int i = 0; i < 100; i++) {
            assertTrue(buffer.awaitRoom());
            long record = buffer.claim(RingRecord.ENTRY_BYTES + 400);
            buffer.entry(buffer.firstEntry(record), (long) OWNER << 48 | i % 9, record, OWNER, i % 2,
                EntryKind.PUT, 400);
            buffer.commit(record, false);
            if (i == 90) {
                assertTrue(log.sync());
            }
        }
    }

    private static Set<Long> read(Disk disk, Path folder, LogReader.Ending ending) throws IOException {
        Set<Long> found = new TreeSet<>();
        try (LogReader reader = LogReader.open(disk, folder, "a reader")) {
            assertEquals(List.of(), reader.damage());
            assertEquals(ending, reader.ending());
            for (ZoneId zone : reader.zones()) {
                assertEquals(List.of(), reader.read(zone, (cid, sequence, owner, number, kind, bytes, offset, length) ->
                    found.add(sequence)));
            }
        }
        return found;
    }

    private static BackupReport backup(Disk disk, Path target) throws IOException {
        return LogTool.backup(disk, FOLDER, target, "a test", Progress.NONE);
    }

    /** Copies files as any other program does. */
    private static void copy(Disk disk, Path from, Path to) throws IOException {
        disk.createFolders(to.resolve("segments"));
        for (String name : disk.list(from)) {
            if (name.equals("segments")) {
                for (String segment : disk.list(from.resolve(name))) {
                    copyFile(disk, from.resolve(name).resolve(segment), to.resolve(name).resolve(segment));
                }
            } else if (!name.equals("lock")) {
                copyFile(disk, from.resolve(name), to.resolve(name));
            }
        }
    }

    private static void copyFile(Disk disk, Path from, Path to) throws IOException {
        try (DiskFile source = disk.openToRead(from); DiskFile target = disk.create(to, 0)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(bytes, 0);
            target.write(bytes.flip(), 0);
        }
    }

    @Test
    void backup_ofAClosedLog_hasAllAndSharesSegments() throws IOException {
        try (RecoveryLog log = open(disk, FOLDER, false)) {
            write(log);
        }
        BackupReport report = backup(disk, TARGET);
        assertEquals(report.bytes(), report.linkedBytes());
        assertEquals(100, read(disk, TARGET, LogReader.Ending.CLOSED).size());
        assertEquals(read(disk, FOLDER, LogReader.Ending.CLOSED), read(disk, TARGET, LogReader.Ending.CLOSED));
        open(disk, TARGET, false).close();
    }

    @Test
    void backup_ofALogThatWasNotClosed_hasAllAndIsRecovered() throws IOException {
        RecoveryLog log = open(disk, FOLDER, false);
        write(log);
        for (FaultDisk left : List.of(disk.killed(), disk.powerCut(Choices.drop()), disk.powerCut(Choices.keep()))) {
            LogReader.Ending ending = left.boot().equals(disk.boot()) ? LogReader.Ending.KILLED
                : LogReader.Ending.POWER_CUT;
            Set<Long> expected = read(left, FOLDER, ending);
            FrozenDisk before = FrozenDisk.of(left, FOLDER, left.boot());
            backup(left, TARGET);
            FrozenDisk after = FrozenDisk.of(left, FOLDER, left.boot());
            before.files().keySet().removeIf(path -> path.endsWith("lock"));
            after.files().keySet().removeIf(path -> path.endsWith("lock"));
            assertEquals(before.files().keySet(), after.files().keySet());
            assertEquals(expected, read(left, TARGET, ending));
            FaultDisk later = left.powerCut(Choices.drop());
            assertEquals(expected, read(later, TARGET, ending));
            try (RecoveryLog recovered = open(later, TARGET, false)) {
                assertEquals(List.of(), recovered.damage());
            }
            assertEquals(expected, read(later, TARGET, LogReader.Ending.CLOSED));
        }
        log.close();
    }

    @Test
    void backup_ofAnOpenLog_isRefusedAndSaysWhatToDo() throws IOException {
        try (RecoveryLog log = open(disk, FOLDER, false)) {
            write(log);
            IOException e = assertThrows(IOException.class, () -> backup(disk, TARGET));
            assertInstanceOf(LockedException.class, e.getCause());
            assertTrue(e.getMessage().contains("locked by a test") && e.getMessage().contains("DurableStore.backup"),
                e::getMessage);
        }
        assertThrows(NoSuchFileException.class, () ->
            LogTool.backup(disk, FaultDisk.ROOT, TARGET, "a test", Progress.NONE));
        assertEquals(List.of("log"), disk.list(FaultDisk.ROOT));
    }

    @Test
    void backup_ofADamagedLog_isRefusedAndLeavesNothing() throws IOException {
        try (RecoveryLog log = open(disk, FOLDER, false)) {
            write(log);
        }
        Path segments = FOLDER.resolve("segments");
        try (DiskFile file = disk.open(segments.resolve(disk.list(segments).getFirst()))) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 4200);
        }
        DamagedFilesException e = assertThrows(DamagedFilesException.class, () -> backup(disk, TARGET));
        assertTrue(e.damage().getFirst().file().startsWith("segments/"), e.damage()::toString);
        assertEquals(List.of("log"), disk.list(FaultDisk.ROOT));
    }

    // ---- other copies ----

    @Test
    void copy_ofAClosedFolder_opensWithoutComplaint() throws IOException {
        Path moved = FaultDisk.ROOT.resolve("moved");
        for (int round = 0; round < 2; round++) {
            try (RecoveryLog log = open(disk, FOLDER, false)) {
                write(log);
            }
            copy(disk, FOLDER, moved);
            assertEquals(100 * (round + 1), read(disk, moved, LogReader.Ending.CLOSED).size());
            try (RecoveryLog log = open(disk, moved, false)) {
                assertEquals(List.of(), log.damage());
            }
            moved = FaultDisk.ROOT.resolve("again");
        }
    }

    /** The original folder is opened as always, and so is a folder that was renamed. */
    @Test
    void copy_ofAnOpenFolder_isDamage_untilItIsAdopted() throws IOException {
        RecoveryLog log = open(disk, FOLDER, false);
        write(log);
        FaultDisk left = disk.killed();
        log.close();
        copy(left, FOLDER, TARGET);
        DamagedLogException e = assertThrows(DamagedLogException.class, () -> open(left, TARGET, false));
        assertTrue(e.getMessage().contains("is a copy") && e.getMessage().contains("repair --adopt"), e::getMessage);
        assertEquals(1, LogTool.read(left, TARGET, "a test", Progress.NONE).damage().size());
        assertFalse(LogTool.adopt(left, FOLDER, "a test"), "it is no copy");
        assertEquals(100, read(left, FOLDER, LogReader.Ending.KILLED).size());

        FaultDisk accepted = left.killed();
        open(accepted, TARGET, true).close();
        assertEquals(100, read(accepted, TARGET, LogReader.Ending.CLOSED).size());

        assertTrue(LogTool.adopt(left, TARGET, "a test"));
        assertFalse(LogTool.adopt(left, TARGET, "a test"));
        assertEquals(100, read(left, TARGET, LogReader.Ending.KILLED).size());
        open(left, TARGET, false).close();
        assertFalse(LogTool.adopt(left, TARGET, "a test"), "it is closed");
    }
}
