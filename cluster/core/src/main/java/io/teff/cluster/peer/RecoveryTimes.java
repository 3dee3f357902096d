package io.teff.cluster.peer;

import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.peer.event.ZoneRecoveredEvent;

/**
 * The timeline of a zone's recovery at the new owner. Times are nanoseconds after the new owner first saw the fencing
 * of the zone; 0 for steps not reached.
 *
 * @param zone the zone
 * @param epoch epoch at which the zone was served
 * @param detectedMs wall clock of the begin, in milliseconds since 1970
 * @param fencedNs when the owner's own copy was fenced and reported
 * @param chosenNs when the node saw itself as the new owner
 * @param restoredNs when all chunks were in memory
 * @param shippedNs when all other backups had the same changes
 * @param servedNs when the zone was served
 * @param chunks number of chunks restored
 */
public record RecoveryTimes(int zone, int epoch, long detectedMs, long fencedNs, long chosenNs, long restoredNs,
                            long shippedNs, long servedNs, long chunks) {
    private static final long NS_PER_MS = 1_000_000;

    /** Emits the event. */
    void emit(int nid) {
        final ZoneRecoveredEvent event = new ZoneRecoveredEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.zone = zone;
            event.epoch = epoch;
            event.fencedNs = fencedNs;
            event.chosenNs = chosenNs;
            event.restoredNs = restoredNs;
            event.shippedNs = shippedNs;
            event.servedNs = servedNs;
            event.chunks = chunks;
            event.commit();
        }
    }

    /** Logs that the zone was read and is served. */
    void log(NodeLog events) {
        events.log(NodeEvent.ZONE_RESTORED, "zone " + zone + " was read into memory: " + chunks + " chunks in "
            + (restoredNs - chosenNs) / NS_PER_MS + " ms");
        events.log(NodeEvent.ZONE_SERVED, "zone " + zone + " is served in epoch " + epoch + ", " + servedNs / NS_PER_MS
            + " ms after its recovery had begun");
    }

    @Override
    public String toString() {
        return "zone " + zone + " at epoch " + epoch + ": fenced after " + fencedNs / NS_PER_MS + ", chosen "
            + chosenNs / NS_PER_MS + ", restored " + restoredNs / NS_PER_MS + ", shipped " + shippedNs / NS_PER_MS
            + ", served " + servedNs / NS_PER_MS + " ms, " + chunks + " chunks";
    }
}
