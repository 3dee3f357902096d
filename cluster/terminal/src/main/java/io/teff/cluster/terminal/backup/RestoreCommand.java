package io.teff.cluster.terminal.backup;

import io.teff.cluster.admin.ClusterBackups.Report;
import io.teff.cluster.admin.ClusterBackups;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code cluster restore}. */
@Command(
    name = "restore",
    description = {"Fills a new cluster from a backup.",
        "The cluster may have another number of peers than the cluster of the backup. It keeps its own identity, so "
            + "clients of the old cluster do not take it for the old one. No client may use the cluster before the "
            + "restore has ended."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the cluster has the content of the backup", "1:something is in the way; the message says what",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster up --dir new --peers 8 && ./teff cluster restore /backup/monday --dir new",
    sortOptions = false)
public final class RestoreCommand extends BackupWork {
    @Option(names = "--again", description = "Continue a restore of this backup that was stopped. Its process "
        + "must have ended. Filled zones stay, and a cluster in use is refused.")
    private boolean isAgain;

    @Parameters(paramLabel = "FOLDER", description = "Folder of the backup.")
    private Path target = Path.of("");

    @Override
    int work(ClusterBackups backups) throws IOException {
        final Report report = backups.restore(cluster(), target, isAgain, this::progress);
        result(report, "restored: " + ClusterBackupCommand.text(target, report));
        return 0;
    }
}
