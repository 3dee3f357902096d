package io.teff.cluster.terminal.backup;

import io.teff.cluster.admin.ClusterBackups;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster verify}. */
@Command(
    name = "verify",
    description = {"Reads a backup as a whole, with the backups on which it is based.",
        "A file that is missing, was cut or has changed is named. No cluster is asked."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the backup is whole", "1:files are damaged or missing; the output names them",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster verify /backup/monday",
    sortOptions = false)
public final class ClusterVerifyCommand extends BackupWork {
    @Parameters(paramLabel = "FOLDER", description = "Folder of the backup.")
    private Path target = Path.of("");

    /**
     * The result as JSON.
     *
     * @param isWhole whether nothing is damaged
     * @param faults what is damaged
     */
    public record Result(boolean isWhole, List<String> faults) {}

    @Override
    int work(ClusterBackups backups) throws IOException {
        final List<String> faults = backups.verify(target, this::progress);
        result(new Result(faults.isEmpty(), faults), faults.isEmpty()
            ? "whole: " + ClusterBackupCommand.text(target, backups.look(target)) : String.join("\n", faults));
        return faults.isEmpty() ? 0 : 1;
    }
}
