package io.teff.cluster.archive;

import io.teff.cluster.admin.ClusterBackups.Progress;
import java.io.IOException;
import java.util.function.Consumer;

/** Fills the zones of a new cluster from a backup. For one thread. */
public final class BackupRestore {
    private static final int ATTEMPTS = 50;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final byte[] AGAIN = {1};

    private final ZoneLink link;
    private final BackupFolder backup;
    private final boolean isAgain;
    private final Consumer<Progress> progress;

    /**
     * Makes a restore.
     *
     * @param link the new cluster, with all zones of the backup
     * @param backup where the chunks come from
     * @param isAgain whether zones may have chunks, which are replaced: those of a restore that was stopped
     * @param progress receives the progress of the restore
     */
    public BackupRestore(ZoneLink link, BackupFolder backup, boolean isAgain, Consumer<Progress> progress) {
        this.link = link;
        this.backup = backup;
        this.isAgain = isAgain;
        this.progress = progress;
    }

    /**
     * Fills all zones.
     *
     * @throws IOException if a file is damaged, or a zone cannot be filled
     */
    public void run() throws IOException {
        int zones = 0;
        long chunks = 0;
        long bytes = 0;
        for (Manifest.Zone row : backup.manifest().zones()) {
            if (row.length() > 0) {
                fill(row.zone());
            }
            chunks += row.chunks();
            bytes += row.payloadBytes();
            progress.accept(new Progress("zone " + row.zone(), ++zones, backup.manifest().zones().size(), chunks,
                bytes));
        }
    }

    private void fill(int zone) throws IOException {
        try (ZoneChain chain = backup.zone(zone)) {
            if (chain == null) {
                throw new IOException("the backup has no zone " + zone);
            }
            final ZoneFileReader file = chain.newest();
            if (file.rows() == 0 && file.removed().length == 0) {
                return;
            }
            for (int i = 0; i < ATTEMPTS; i++) {
                if (isFilled(zone, chain, isAgain || i > 0)) {
                    return;
                }
                link.pause();
            }
        }
        throw new IOException("zone " + zone + " was filled " + ATTEMPTS
            + " times, and its owner has changed each time");
    }

    private boolean isFilled(int zone, ZoneChain chain, boolean isNext) throws IOException {
        final ArchiveAnswer begun = link.call(new ArchiveRequest(ArchiveRequest.FILL, zone, 0,
            isNext ? AGAIN : ArchiveRequest.NONE));
        if (begun.code() != ArchiveAnswer.DONE) {
            return false;
        }
        final ZoneFileReader file = chain.newest();
        final EntryBytes message = new EntryBytes();
        for (long cid : file.removed()) {
            message.addRemoved(cid);
            if (message.size() >= MESSAGE_BYTES && !isPut(zone, begun.session(), message)) {
                return false;
            }
        }
        for (int row = 0; row < file.rows(); row++) {
            final EntryBytes entries = chain.entriesOf(row);
            while (entries.next()) {
                message.add(entries);
                if (message.size() >= MESSAGE_BYTES && !isPut(zone, begun.session(), message)) {
                    return false;
                }
            }
        }
        return isPut(zone, begun.session(), message) && link.call(new ArchiveRequest(ArchiveRequest.PUBLISH, zone,
            begun.session(), ArchiveRequest.NONE)).code() == ArchiveAnswer.END;
    }

    private boolean isPut(int zone, long session, EntryBytes message) throws IOException {
        final boolean isDone = message.size() == 0 || link.call(new ArchiveRequest(ArchiveRequest.PUT, zone, session,
            message.toArray())).code() == ArchiveAnswer.DONE;
        message.clear();
        return isDone;
    }
}
