package io.teff.recovery.tool;

import io.teff.engine.os.Disk;
import io.teff.engine.report.Progress;
import io.teff.recovery.log.file.TailCut;
import io.teff.recovery.log.read.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What can be done with the folder of a log that nobody has open. Pure functions. */
public final class LogTool {
    private LogTool() {}

    /**
     * Reads a log, every byte that counts, and changes nothing.
     *
     * @param folder of the log
     * @param holder who reads it, for others in this process who want it meanwhile
     * @param progress is told how many segments are read
     * @return what is in it, and what is damaged
     * @throws NoManifestException if nobody can tell what counts
     * @throws IOException if there is no log, or somebody has it open, or the disk fails
     */
    public static LogReport read(Path folder, String holder, Progress progress) throws IOException {
        return read(Disk.SYSTEM, folder, holder, progress);
    }

    /** The same on any disk. */
    static LogReport read(Disk disk, Path folder, String holder, Progress progress) throws IOException {
        try (LogReader reader = LogScan.open(disk, folder, holder, false)) {
            return new LogScan(disk, folder, reader, progress).report();
        }
    }

    /**
     * Cuts off what a crash has left unfinished: the end of the manifest that is no whole record, and ends of segments
     * that are being written in which nothing has a right checksum. What is cut off is kept in a file beside it.
     * Nothing is cut if anything is damaged.
     *
     * @param folder of the log
     * @param holder who does it, for others who want the log meanwhile
     * @param progress is told how many segments are read
     * @return what was cut off; nothing if there was nothing of that kind, or if anything is damaged
     * @throws NoManifestException if nobody can tell what counts; then nothing was changed
     * @throws IOException if there is no log, or somebody has it open, or the disk fails: each file is what it was
     *     then, or cut, and what was cut off is kept
     */
    public static Result cutTails(Path folder, String holder, Progress progress) throws IOException {
        return cutTails(Disk.SYSTEM, folder, holder, progress);
    }

    /** The same on any disk. */
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
     * What was done.
     *
     * @param cuts ends that were cut off
     * @param damage because of which nothing was cut off
     */
    public record Result(List<Cut> cuts, List<LogReport.Place> damage) {
        /** Keeps copies. */
        public Result {
            cuts = List.copyOf(cuts);
            damage = List.copyOf(damage);
        }
    }
}
