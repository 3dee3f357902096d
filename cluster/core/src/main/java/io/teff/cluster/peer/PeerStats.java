package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.engine.report.StoreStats;
import java.util.List;

/**
 * Statistics of a peer's current life. Immutable.
 *
 * @param node the life
 * @param holdsLease whether it holds its lease
 * @param zonesServed number of zones that it serves while it holds its lease
 * @param store memory of the chunks
 * @param ringUsedBytes bytes of the ring that are claimed and not drained
 * @param ringBytes bytes of the ring
 * @param drainedBytes bytes that were taken out of the ring
 * @param keptBytes memory of runs that not all backups have acknowledged, beside about 1 KiB for each zone
 * @param changesBehind number of changes that not all backups have acknowledged
 * @param answersWaiting number of answers that wait for acknowledgements
 * @param changesRefused number of changes that were refused because ring or runs had no room
 * @param ringWaits number of waits of threads that had begun a change
 * @param recordsAbandoned number of changes that their threads could not end
 * @param stalls how often changes have waited for a thread that did not end its record
 * @param backups the backups that the peer keeps for others
 * @param recoveries timelines of the last recoveries to this peer, oldest first
 */
public record PeerStats(NodeRef node, boolean holdsLease, int zonesServed, StoreStats store, long ringUsedBytes,
                        long ringBytes, long drainedBytes, long keptBytes, long changesBehind, long answersWaiting,
                        long changesRefused, long ringWaits, long recordsAbandoned, long stalls, BackupNumbers backups,
                        List<RecoveryTimes> recoveries) {
    /** Copies the list. */
    public PeerStats {
        recoveries = List.copyOf(recoveries);
    }
}
