package io.teff.cluster.terminal.backup;

import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Transfer;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster export}. */
@Command(
    name = "export",
    description = {"Makes a local durable store of a backup.",
        "Collections keep their names, and all other chunks keep their CIDs. The command needs memory for twice the "
            + "chunks of the backup. No cluster is asked."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the store is complete", "1:something is in the way; the message says what",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster backup /backup/monday && ./teff cluster export /backup/monday /data/store",
    sortOptions = false)
public final class ExportCommand extends BackupWork {
    @Parameters(index = "0", paramLabel = "BACKUP", description = "Folder of a backup.")
    private Path source = Path.of("");

    @Parameters(index = "1", paramLabel = "STORE", description = "Folder of the store. It must not exist.")
    private Path target = Path.of("");

    @Override
    int work(ClusterBackups backups) throws IOException {
        final Transfer transfer = backups.exportStore(source, target, this::progress);
        result(transfer, "exported " + ImportCommand.text(target, transfer));
        return 0;
    }
}
