package io.teff.cluster.terminal.backup;

import io.teff.cluster.admin.ClusterBackups.Report;
import io.teff.cluster.admin.ClusterBackups;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code cluster backup}. */
@Command(
    name = "backup",
    description = {"Takes a backup of a running cluster into a new folder.",
        "The backup has each zone as it was at one number, and the names and counters of services. While it is taken, "
            + "the files are in a folder with the ending .unfinished. The same command continues a backup that was "
            + "stopped."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the backup is complete", "1:something is in the way; the message says what",
        "2:wrong command line"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster backup /backup/monday",
        "  ./teff cluster backup /backup/tuesday --incremental /backup/monday"},
    sortOptions = false)
public final class ClusterBackupCommand extends BackupWork {
    @Option(names = "--incremental", paramLabel = "BASE",
        description = "Store only what has changed since this backup. The new backup needs the base, at the same place "
            + "beside it.")
    private @Nullable Path base;

    @Parameters(paramLabel = "FOLDER", description = "Folder of the backup. It must not exist.")
    private Path target = Path.of("");

    @Override
    int work(ClusterBackups backups) throws IOException {
        final Report report = backups.take(cluster(), target, base, this::progress);
        result(report, text(target, report));
        return 0;
    }

    /** Returns a line about a backup. */
    static String text(Path folder, Report report) {
        return "backup " + folder + ": " + report.zones() + " zones, " + report.chunks() + " chunks of "
            + report.payloadBytes() + " bytes, files of " + report.fileBytes() + " bytes, " + report.names() + " names"
            + (report.lost().isEmpty() ? "" : "; lost zones without content: " + report.lost());
    }
}
