package io.teff.cluster.peer;

import io.teff.cluster.admin.NodeStatus.Recovery;
import io.teff.cluster.log.NodeEvent;
import io.teff.cluster.log.NodeLog;
import io.teff.cluster.peer.event.ZoneRecoveredEvent;

/**
 * Reports of a zone's recovery.
 *
 * @param timeline the steps of the recovery
 */
record RecoveryTimes(Recovery timeline) {
    private static final long NS_PER_MS = 1_000_000;

    /** Emits the event. */
    void emit(int nid) {
        final ZoneRecoveredEvent event = new ZoneRecoveredEvent();
        if (event.shouldCommit()) {
            event.nid = nid;
            event.zone = timeline.zone();
            event.epoch = timeline.epoch();
            event.fencedNs = timeline.fencedNs();
            event.chosenNs = timeline.chosenNs();
            event.restoredNs = timeline.restoredNs();
            event.shippedNs = timeline.shippedNs();
            event.servedNs = timeline.servedNs();
            event.chunks = timeline.chunks();
            event.commit();
        }
    }

    /** Logs that the zone was read and is served. */
    void log(NodeLog events) {
        events.log(NodeEvent.ZONE_RESTORED, "zone " + timeline.zone() + " was read into memory: " + timeline.chunks()
            + " chunks in " + (timeline.restoredNs() - timeline.chosenNs()) / NS_PER_MS + " ms");
        events.log(NodeEvent.ZONE_SERVED, "zone " + timeline.zone() + " is served in epoch " + timeline.epoch() + ", "
            + timeline.servedNs() / NS_PER_MS + " ms after its recovery had begun");
    }
}
