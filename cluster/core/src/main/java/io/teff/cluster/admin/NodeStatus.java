package io.teff.cluster.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a node, as seen by the node itself. All figures of a peer belong to the peer's current life. Immutable.
 *
 * @param name name of the node
 * @param role role of the node
 * @param life current life of the node
 * @param process the process of the node
 * @param standing the node's place in the cluster
 * @param logBytes bytes on the node's disk
 * @param problem obstacle to the node's work, for people; empty without a problem
 * @param peer figures of a peer; null for superpeers
 */
public record NodeStatus(String name, NodeRole role, NodeLife life, Process process, Standing standing, long logBytes,
                         String problem, @Nullable PeerFigures peer) {
    private static final long NS_PER_MS = 1_000_000;

    /**
     * The process of a node.
     *
     * @param pid number of the process
     * @param upMs milliseconds since the start of the node
     * @param heapBytes used bytes of the Java heap
     */
    public record Process(long pid, long upMs, long heapBytes) {}

    /**
     * The place of a node in the cluster.
     *
     * @param tableVersion version of the node's tables
     * @param isLeading whether the node is the leading superpeer
     * @param holdsLease whether the node holds a lease; false for superpeers
     */
    public record Standing(long tableVersion, boolean isLeading, boolean holdsLease) {}

    /**
     * Figures of a peer.
     *
     * @param memoryBytes memory of the peer's store, including free memory of the store
     * @param ring the ring of changes
     * @param shipping changes on their way to the backups
     * @param logging backups kept by the peer for other peers
     * @param recoveries timelines of the last recoveries to the peer, oldest first
     * @param zones the zones served by the peer; empty unless asked for
     * @param copies the copies of zones in the peer's log, also copies that no longer count; empty unless asked for
     * @param room the room for chunks
     */
    public record PeerFigures(long memoryBytes, Ring ring, Shipping shipping, Logging logging,
                              List<Recovery> recoveries, List<ZoneUse> zones, List<CopyUse> copies, Room room) {
        /** Copies the lists. */
        public PeerFigures {
            recoveries = List.copyOf(recoveries);
            zones = List.copyOf(zones);
            copies = List.copyOf(copies);
        }

        /** {@return number of chunks in the listed zones} */
        public long chunks() {
            return zones.stream().mapToLong(ZoneUse::chunks).sum();
        }

        /** {@return payload of the chunks in the listed zones, in bytes} */
        public long chunkBytes() {
            return zones.stream().mapToLong(ZoneUse::bytes).sum();
        }
    }

    /**
     * The ring of changes of a peer.
     *
     * @param bytes size of the ring
     * @param usedBytes bytes that are claimed and have not left the ring
     * @param shippedBytes bytes that have left the ring for the backups
     * @param changesRefused number of changes refused because ring or backups had no room
     * @param waits how often a thread with a begun change has waited for room
     * @param recordsAbandoned number of changes whose threads could not end the change
     */
    public record Ring(long bytes, long usedBytes, long shippedBytes, long changesRefused, long waits,
                       long recordsAbandoned) {}

    /**
     * Changes of a peer on their way to the backups.
     *
     * @param keptBytes memory of changes that not all backups have acknowledged, beside about 1 KiB for each zone
     * @param changesBehind number of changes that not all backups have acknowledged
     * @param answersWaiting number of answers waiting for acknowledgements
     * @param answersDamaged answers of backups whose bytes were damaged on the way
     * @param stalls how often changes have waited for a thread that did not end its record
     */
    public record Shipping(long keptBytes, long changesBehind, long answersWaiting, long answersDamaged,
                           long stalls) {}

    /**
     * Backups kept by a peer for other peers.
     *
     * @param copies number of copies
     * @param runs acknowledged runs, including repeated runs
     * @param bytes bytes of the acknowledged runs
     * @param gaps runs that did not continue their copy
     * @param refusedForRoom runs without room in the log
     * @param stale runs of deposed owners, or for earlier lives of the peer
     * @param malformed messages that were no runs
     * @param damaged messages whose bytes were damaged on the way
     */
    public record Logging(int copies, long runs, long bytes, long gaps, long refusedForRoom, long stale,
                          long malformed, long damaged) {}

    /**
     * The timeline of a zone's recovery at the new owner. Times are nanoseconds after the new owner first saw that the
     * zone was being fenced; 0 for unneeded steps.
     *
     * @param zone id of the zone
     * @param epoch epoch of the served zone
     * @param detectedMs wall clock of the begin, in milliseconds since 1970
     * @param fencedNs when the owner's own copy was fenced and reported
     * @param chosenNs when the node saw itself as new owner
     * @param restoredNs when all chunks were in memory
     * @param shippedNs when all other backups had the same changes
     * @param servedNs when the zone was served
     * @param chunks number of restored chunks
     */
    public record Recovery(int zone, int epoch, long detectedMs, long fencedNs, long chosenNs, long restoredNs,
                           long shippedNs, long servedNs, long chunks) {
        @Override
        public String toString() {
            return "zone " + zone + " at epoch " + epoch + ": fenced after " + fencedNs / NS_PER_MS + ", chosen "
                + chosenNs / NS_PER_MS + ", restored " + restoredNs / NS_PER_MS + ", shipped " + shippedNs / NS_PER_MS
                + ", served " + servedNs / NS_PER_MS + " ms, " + chunks + " chunks";
        }
    }

    /**
     * The content of a zone.
     *
     * @param zone id of the zone
     * @param chunks number of chunks
     * @param bytes payload of all chunks
     * @param operations requests in the zone since the peer serves the zone; a request of a batch counts once
     */
    public record ZoneUse(int zone, long chunks, long bytes, long operations) {}

    /**
     * The room for chunks at a peer.
     *
     * @param limitBytes most memory for chunks
     * @param usedBytes memory of the present chunks
     * @param reserveBytes a peer with less free memory takes no zones of other peers
     */
    public record Room(long limitBytes, long usedBytes, long reserveBytes) {
        /** {@return the memory for zones of other peers, at least 0} */
        public long forZonesBytes() {
            return Math.max(0, limitBytes - usedBytes - reserveBytes);
        }
    }

    /**
     * A copy of a zone at a backup.
     *
     * @param zone id of the zone
     * @param copy number of the copy
     * @param epoch epoch of the last change in the copy
     * @param counter counter of the last change in the copy
     */
    public record CopyUse(int zone, int copy, int epoch, long counter) {}
}
