package io.teff.recovery.tool;

import io.teff.engine.os.Disk;
import io.teff.engine.report.Progress;
import io.teff.recovery.BackupReport;
import io.teff.recovery.log.file.DamagedLogException;
import io.teff.recovery.log.file.FoundManifest;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.RingFile;
import io.teff.recovery.log.file.TailCut;
import io.teff.recovery.log.read.ManifestLoss;
import io.teff.recovery.log.read.LogReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Inspects and repairs the folder of a log that is not open. Stateless; thread-safe. */
public final class LogTool {
    private LogTool() {}

    /**
     * Reads all bytes of a log that count, and changes nothing.
     *
     * @param folder of the log
     * @param holder name of the caller, for messages to other openers in this process
     * @param progress receives the number of segments read
     * @return contents and damage
     * @throws NoManifestException if no manifest can be read
     * @throws IOException if there is no log, or another owner has the log open, or the disk fails
     */
    public static LogReport read(Path folder, String holder, Progress progress) throws IOException {
        return read(Disk.SYSTEM, folder, holder, progress);
    }

    /** Reads like {@link #read(Path, String, Progress)}, on any disk. */
    static LogReport read(Disk disk, Path folder, String holder, Progress progress) throws IOException {
        try (LogReader reader = LogScan.open(disk, folder, holder, false)) {
            return new LogScan(disk, folder, reader, progress).report();
        }
    }

    /**
     * Cuts off the incomplete tails that a crash has left: the end of the manifest if not a complete record, and ends
     * of unsealed segments without a correct checksum. The bytes cut off are kept in a file next to the original.
     * Nothing is cut if there is any damage.
     *
     * @param folder of the log
     * @param holder name of the caller, for messages to other openers
     * @param progress receives the number of segments read
     * @return the tails cut off; empty if there were none, or if there is any damage
     * @throws NoManifestException if no manifest can be read; then nothing was changed
     * @throws IOException if there is no log, or another owner has the log open, or the disk fails; then each file is
     *     unchanged, or cut with the bytes kept
     */
    public static Result cutTails(Path folder, String holder, Progress progress) throws IOException {
        return cutTails(Disk.SYSTEM, folder, holder, progress);
    }

    /** Cuts like {@link #cutTails(Path, String, Progress)}, on any disk. */
    static Result cutTails(Disk disk, Path folder, String holder, Progress progress) throws IOException {
        final List<Cut> cuts = new ArrayList<>();
        try (LogReader reader = LogScan.open(disk, folder, holder, true)) {
            final LogScan scan = new LogScan(disk, folder, reader, progress);
            final LogReport report = scan.report();
            if (report.damage().isEmpty()) {
                for (LogReport.Place tail : scan.tails()) {
                    cuts.add(new Cut(tail.file(), tail.offset(), tail.bytes(),
                        TailCut.cut(disk, folder, tail.file(), tail.offset())));
                }
            }
            return new Result(cuts, report.damage());
        }
    }

    /**
     * Makes the manifest of a log anew from all its other files, if the manifest is missing, cannot be read, or has
     * lost its end. The old files of the manifest are kept under other names. Everything readable counts; dropped zones
     * may return as far as their files are left, and the write buffer counts as after a power cut.
     *
     * @param folder of the log
     * @param holder name of the caller, for messages to other openers
     * @param nid of the store or peer that owns the log, or -1: that of the old manifest, or the only owner of all
     *     segments
     * @param progress receives the number of segments read
     * @return what was found
     * @throws IOException if there is no log, or another owner has the log open, or the files do not show their log or
     *     their owner, or the disk fails; then the call has to be repeated
     */
    public static Rebuilt rebuild(Path folder, String holder, int nid, Progress progress) throws IOException {
        return rebuild(Disk.SYSTEM, folder, holder, nid, progress);
    }

    /** Makes it anew like {@link #rebuild(Path, String, int, Progress)}, on any disk. */
    static Rebuilt rebuild(Disk disk, Path folder, String holder, int nid, Progress progress) throws IOException {
        if (!LogFolder.hasLog(disk, folder)) {
            throw new NoSuchFileException(folder.toString(), null, "there is no log");
        }
        try (Closeable _ = LogFolder.lock(disk, folder, holder)) {
            return isComplete(disk, folder) ? new Rebuilt("", List.of(), 0, 0, 0, 0, List.of(), List.of())
                : new ManifestRebuild(disk, folder, progress).run(nid);
        }
    }

    /**
     * Backs up a log that is not open to a new folder, and changes nothing in its own. A log without a close is backed
     * up as it is: an opening of the backup recovers the backup. Final files, which never change again, are shared by
     * hard links where the file system permits. The backup is read before its folder gets the final name.
     *
     * @param folder of the log
     * @param target folder to make, outside of the log's folder; the folder above it must exist
     * @param holder name of the caller, for messages to other openers
     * @param progress receives bytes done and in total, each byte counted twice because it is copied and read
     * @return what was backed up
     * @throws IllegalArgumentException if the target exists, if the target lies in the folder of the log, or if the
     *     target's parent folder does not exist
     * @throws NoManifestException if no manifest can be read
     * @throws DamagedFilesException if a file of the log is damaged
     * @throws IOException if there is no log, or another owner has the log open, or there is no room, or the disk
     *     fails; in all cases nothing of the backup is left
     */
    public static BackupReport backup(Path folder, Path target, String holder, Progress progress) throws IOException {
        return LogBackup.run(Disk.SYSTEM, folder, target, holder, progress);
    }

    /** Backs up like {@link #backup(Path, Path, String, Progress)}, on any disk. */
    static BackupReport backup(Disk disk, Path folder, Path target, String holder, Progress progress)
        throws IOException {
        return LogBackup.run(disk, folder, target, holder, progress);
    }

    /**
     * Makes the copy of a folder of an unclosed log count as it is. The caller knows that no process had the log open
     * during the copy. Otherwise the files of the copy are of different moments, and acknowledged changes may be
     * missing.
     *
     * @param folder the copy
     * @param holder name of the caller, for messages to other openers
     * @return false if there was nothing to change: the log was closed, or is not known to be a copy
     * @throws NoManifestException if no manifest can be read
     * @throws IOException if there is no log, or another owner has the log open, or the disk fails
     */
    public static boolean adopt(Path folder, String holder) throws IOException {
        return adopt(Disk.SYSTEM, folder, holder);
    }

    /** Adopts like {@link #adopt(Path, String)}, on any disk. */
    static boolean adopt(Disk disk, Path folder, String holder) throws IOException {
        try (LogReader reader = LogScan.open(disk, folder, holder, true)) {
            return reader.ending() != LogReader.Ending.CLOSED && RingFile.adopt(disk, folder, reader.log());
        }
    }

    private static boolean isComplete(Disk disk, Path folder) throws IOException {
        try {
            final FoundManifest found = FoundManifest.find(disk, folder);
            return found != null && found.damage().isEmpty()
                && new ManifestLoss(disk, folder, found).damage().isEmpty();
        } catch (DamagedLogException _) {
            return false;
        }
    }

    /**
     * Result of a repair.
     *
     * @param cuts the tails cut off
     * @param damage the damage because of which nothing was cut off
     */
    public record Result(List<Cut> cuts, List<LogReport.Place> damage) {
        /** Copies the lists. */
        public Result {
            cuts = List.copyOf(cuts);
            damage = List.copyOf(damage);
        }
    }
}
