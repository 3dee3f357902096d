package io.teff.cluster.archive;

import io.teff.cluster.admin.ClusterBackups.Progress;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Fills the zones of a new cluster from a backup. For one thread.
 *
 * <p><b>Stops.</b> A zone counts as filled when the disks of all its backups have the zone. The claim has the zone that
 * is being filled. So a process that continues knows the zones that are filled, and the only zone that may have a part
 * of its chunks. Nothing but this zone is ever replaced: a further zone with chunks is refused by its owner.
 */
public final class BackupRestore {
    private static final int ATTEMPTS = 50;
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final byte[] AGAIN = {1};

    private final ZoneLink link;
    private final BackupFolder backup;
    private final RestoreClaim claim;
    private final Consumer<Progress> progress;

    /**
     * Makes a restore.
     *
     * @param link the new cluster, with all zones of the backup
     * @param backup where the chunks come from
     * @param claim how far an earlier process was; receives how far this process is
     * @param progress receives the progress of the restore
     */
    public BackupRestore(ZoneLink link, BackupFolder backup, RestoreClaim claim, Consumer<Progress> progress) {
        this.link = link;
        this.backup = backup;
        this.claim = claim;
        this.progress = progress;
    }

    /**
     * Fills all zones that are not filled yet.
     *
     * @throws IOException if a file is damaged, a zone cannot be filled, or the cluster has lost a filled zone
     */
    public void run() throws IOException {
        final int first = claim.begun();
        int zones = 0;
        long chunks = 0;
        long bytes = 0;
        for (Manifest.Zone row : backup.manifest().zones()) {
            if (row.length() > 0 && row.zone() >= first) {
                fill(row.zone(), row.zone() == first);
            }
            chunks += row.chunks();
            bytes += row.payloadBytes();
            progress.accept(new Progress("zone " + row.zone(), ++zones, backup.manifest().zones().size(), chunks,
                bytes));
        }
        requireAll();
    }

    private void requireAll() throws IOException {
        final Set<Integer> filled = new HashSet<>();
        backup.manifest().zones().forEach(row -> filled.add(row.zone()));
        for (ZoneRow row : link.zones()) {
            if (row.state() == ZoneState.LOST && filled.contains(row.zone())) {
                throw new IOException("the cluster has lost zone " + row.zone() + " during the restore: restore into "
                    + "another new cluster");
            }
        }
    }

    private void fill(int zone, boolean isBegun) throws IOException {
        try (ZoneChain chain = backup.zone(zone)) {
            if (chain == null) {
                throw new IOException("the backup has no zone " + zone);
            }
            final ZoneFileReader file = chain.newest();
            if (file.rows() == 0 && file.removed().length == 0) {
                return;
            }
            for (int i = 0; i < ATTEMPTS; i++) {
                if (isFilled(zone, chain, isBegun || i > 0)) {
                    return;
                }
                link.pause();
            }
        }
        throw new IOException("zone " + zone + " was filled " + ATTEMPTS
            + " times, and its owner has changed each time");
    }

    /** Fills a zone once. The chunks of a begun zone are those of this restore; a zone with other chunks refuses. */
    private boolean isFilled(int zone, ZoneChain chain, boolean isBegun) throws IOException {
        if (isBegun) {
            claim.begin(zone);                                  // another process may have ended the restore by now
        }
        final ArchiveAnswer begun = link.call(new ArchiveRequest(ArchiveRequest.FILL, zone, 0,
            isBegun ? AGAIN : ArchiveRequest.NONE));
        if (begun.code() != ArchiveAnswer.DONE) {
            return false;
        }
        if (!isBegun) {
            claim.begin(zone);                                  // the zone was empty
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
