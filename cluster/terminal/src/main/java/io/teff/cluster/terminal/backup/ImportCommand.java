package io.teff.cluster.terminal.backup;

import io.teff.cluster.admin.ClusterBackups;
import io.teff.cluster.admin.ClusterBackups.Transfer;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code cluster import}. */
@Command(
    name = "import",
    description = {"Copies a local durable store, or a snapshot, into a cluster.",
        "Collections keep their names. All other chunks of a creator go into an empty zone: into the zone with the "
            + "number of the creator, and keep their CIDs; or else into a new zone, and the output names the new "
            + "creator of their CIDs."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the cluster has the content of the store", "1:something is in the way; the message says what",
        "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster import /data/store",
    sortOptions = false)
public final class ImportCommand extends BackupWork {
    @Parameters(paramLabel = "STORE", description = "Folder of a durable store, or file of a snapshot.")
    private Path source = Path.of("");

    @Override
    int work(ClusterBackups backups) throws IOException {
        final Transfer transfer = backups.importStore(cluster(), source, this::progress);
        result(transfer, "imported " + text(source, transfer));
        return 0;
    }

    /** Returns lines about a transfer. */
    static String text(Path store, Transfer transfer) {
        final StringBuilder text = new StringBuilder().append(store).append(": ").append(transfer.chunks())
            .append(" chunks, ").append(transfer.collections()).append(" collections with ")
            .append(transfer.elements()).append(" elements");
        transfer.moved().forEach(line -> text.append('\n').append(line));
        return text.toString();
    }
}
