package io.teff.cluster.peer;

import io.teff.cluster.meta.NodeRef;
import io.teff.engine.report.StoreStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a peer's current life. Immutable.
 *
 * @param node the life
 * @param failure why the peer has left the cluster by itself, for people, or null
 * @param holdsLease whether it holds its lease
 * @param zonesServed number of zones that it serves while it holds its lease
 * @param store memory of the chunks
 * @param ringUsedBytes bytes of the ring that are claimed and not drained
 * @param ringBytes bytes of the ring
 * @param drainedBytes bytes that were taken out of the ring
 * @param keptBytes memory of runs that not all backups have acknowledged, beside about 1 KiB for each zone
 * @param changesBehind number of changes that not all backups have acknowledged
 * @param answersWaiting number of answers that wait for acknowledgements
 * @param answersRefused answers of backups whose bytes were not those that were sent
 * @param changesRefused number of changes that were refused because ring or runs had no room
 * @param ringWaits number of waits of threads that had begun a change
 * @param recordsAbandoned number of changes that their threads could not end
 * @param stalls how often changes have waited for a thread that did not end its record
 * @param backups the backups that the peer keeps for others
 * @param recoveries timelines of the last recoveries to this peer, oldest first
 * @param problems why zones that the peer is to restore are not in its memory, in sentences
 */
public record PeerStats(NodeRef node, @Nullable String failure, boolean holdsLease, int zonesServed, StoreStats store,
                        long ringUsedBytes, long ringBytes, long drainedBytes, long keptBytes, long changesBehind,
                        long answersWaiting, long answersRefused, long changesRefused, long ringWaits,
                        long recordsAbandoned, long stalls, BackupNumbers backups, List<RecoveryTimes> recoveries,
                        List<String> problems) {
    /** Copies the lists. */
    public PeerStats {
        recoveries = List.copyOf(recoveries);
        problems = List.copyOf(problems);
    }
}
