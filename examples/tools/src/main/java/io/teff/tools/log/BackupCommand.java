package io.teff.tools.log;

import io.teff.recovery.BackupReport;
import io.teff.recovery.tool.LogTool;
import io.teff.tools.console.Figures;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code backup} command: copies the folder of a store that is not open. */
@Command(
    name = "backup",
    description = {
        "Backs up the durable store in a folder to a new folder, which opens like the store itself. Nothing is changed "
            + "in the folder of the store.",
        "The store must not be open. A store in use is backed up by the program that has it open, with "
            + "DurableStore.backup; a copy of its folder made by other means meanwhile is damaged.",
        "Files that never change again are shared by hard links where the file system can do that; on another device "
            + "they are copied. The backup is read before it gets its name; after a failure nothing of it is left."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the backup is complete and was read without damage",
        "1:there is no store, it is open, the target exists, there is no room, or the disk failed",
        "2:wrong command line", "3:the store is damaged"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff backup data /backups/monday",
    sortOptions = false)
public final class BackupCommand extends LogAction {
    @Parameters(paramLabel = "TARGET", description = "Folder to make, in a folder that exists.")
    private Path target = Path.of("");

    @Override
    int act() throws IOException {
        final Timed<BackupReport> done;
        try {
            done = run((folder, holder, progress) -> LogTool.backup(folder, target, holder, progress));
        } catch (IllegalArgumentException e) {
            explain(String.valueOf(e.getMessage()));
            return EXIT_FAILED;
        }
        BackupReport report = done.result();
        if (!writeJson(new BackupDocument(folder().toString(), target.toString(), done.seconds(), report.segments(),
            report.bytes(), report.linkedBytes()))) {
            out().println(Figures.text("%s: %s segments, %s in files, %s of it shared, in %.2f s", target,
                Figures.count(report.segments()), Figures.bytes(report.bytes()), Figures.bytes(report.linkedBytes()),
                done.seconds()));
            out().flush();
        }
        return EXIT_GOOD;
    }

    /** Each byte is counted twice: it is copied, then read. */
    @Override
    String progress(String name, long unitsDone, long unitsAll) {
        return Figures.text("%s  %s of %s", name, Figures.bytes(unitsDone / 2), Figures.bytes(unitsAll / 2));
    }
}
