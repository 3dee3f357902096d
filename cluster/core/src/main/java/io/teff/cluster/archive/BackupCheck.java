package io.teff.cluster.archive;

import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.engine.os.Disk;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads a backup as a whole, with the backups on which it is based, and lists all damage. For one thread. */
public final class BackupCheck {
    private BackupCheck() {}

    /**
     * Checks a backup.
     *
     * @param disk has the folders
     * @param folder folder of the backup
     * @param progress receives the progress of the check
     * @return the damage, in sentences with the names of files; empty if the backup is whole
     */
    public static List<String> faults(Disk disk, Path folder, Consumer<Progress> progress) {
        final List<String> faults = new ArrayList<>();
        try {
            final BackupFolder backup = BackupFolder.open(disk, folder);
            int zones = 0;
            long chunks = 0;
            long bytes = 0;
            for (Manifest.Zone row : backup.manifest().zones()) {
                check(backup, row, faults);
                chunks += row.chunks();
                bytes += row.payloadBytes();
                progress.accept(new Progress("zone " + row.zone(), ++zones, backup.manifest().zones().size(), chunks,
                    bytes));
            }
            backup.services();
        } catch (IOException e) {
            faults.add(FailureText.of(e));
        }
        return faults;
    }

    private static void check(BackupFolder backup, Manifest.Zone row, List<String> faults) {
        try (ZoneChain chain = backup.zone(row.zone())) {
            if (chain == null) {
                return;
            }
            chain.newest().verify();
            for (int i = 0; i < chain.newest().rows(); i++) {
                if (chain.newest().isInBase(i)) {
                    chain.entriesOf(i);
                }
            }
        } catch (IOException e) {
            faults.add(FailureText.of(e));
        }
    }
}
