package io.teff.recovery.tool;

import io.teff.engine.os.Disk;
import io.teff.engine.report.Progress;
import io.teff.recovery.log.file.TailCut;
import io.teff.recovery.log.read.LogReader;
import java.io.IOException;
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
     * @param holder names the caller, for others in this process that want to open the log meanwhile
     * @param progress receives the number of segments read
     * @return contents and damage
     * @throws NoManifestException if no manifest can be read
     * @throws IOException if there is no log, or another owner has it open, or the disk fails
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
     * Cuts off the incomplete tails that a crash has left: the end of the manifest if it is not a complete record, and
     * ends of unsealed segments in which no checksum is correct. The bytes cut off are kept in a file next to the
     * original. Nothing is cut if there is any damage.
     *
     * @param folder of the log
     * @param holder names the caller, for others that want to open the log meanwhile
     * @param progress receives the number of segments read
     * @return the tails cut off; empty if there were none, or if there is any damage
     * @throws NoManifestException if no manifest can be read; then nothing was changed
     * @throws IOException if there is no log, or another owner has it open, or the disk fails; then each file is
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
