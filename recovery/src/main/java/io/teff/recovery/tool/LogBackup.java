package io.teff.recovery.tool;

import io.teff.engine.os.Disk;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import io.teff.engine.report.Progress;
import io.teff.recovery.BackupReport;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ManifestState;
import io.teff.recovery.log.copy.Copied;
import io.teff.recovery.log.copy.FolderCopy;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import io.teff.recovery.log.read.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a log that is not open. A log without a close is copied as it is, with ring and frames: an opening of the copy
 * recovers the copy. Nothing is changed in the log's folder. Stateless.
 */
final class LogBackup {
    private LogBackup() {}

    static BackupReport run(Disk disk, Path folder, Path target, String holder, Progress progress) throws IOException {
        try (LogReader reader = open(disk, folder, holder);
             FolderCopy copy = FolderCopy.begin(disk, folder, target, holder)) {
            if (!reader.damage().isEmpty()) {
                throw damaged(reader.damage());
            }
            final ManifestState state = reader.state();
            final List<String> others = new ArrayList<>();
            if (reader.ending() != LogReader.Ending.CLOSED) {
                others.add(LogFolder.BUFFER);
                for (long number : NumberedFiles.list(disk, folder, LogFolder.PRIMARY)) {
                    others.add(NumberedFiles.name(LogFolder.PRIMARY, number));
                }
            }
            copy.copy(state, others, progress);
            if (reader.ending() == LogReader.Ending.KILLED && !state.isRingSynced()) {
                state.apply(new ManifestRecord.RingSynced());   // of the copy, which may be opened after a restart
            }
            final Copied copied = copy.finish(state, progress);
            return new BackupReport(target, copied.segments(), copied.bytes(), copied.linkedBytes());
        } catch (DamagedLogException e) {
            throw damaged(e.damage());
        }
    }

    private static LogReader open(Disk disk, Path folder, String holder) throws IOException {
        try {
            return LogScan.open(disk, folder, holder, false);
        } catch (LockedException e) {
            throw new IOException(FailureText.of(e) + "; a store in use is backed up by the program that has it open,"
                + " with DurableStore.backup", e);
        }
    }

    private static DamagedFilesException damaged(List<FileDamage> damage) {
        return new DamagedFilesException("there is no backup, because the log is damaged",
            damage.stream().map(LogScan::place).toList());
    }
}
