package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.NodeStatus.Recovery;

/**
 * The timeline of a zone's recovery at its new owner, for JMX. Times are milliseconds after the new owner first saw
 * that the zone was being fenced; 0 for unneeded steps.
 *
 * @param zone number of the zone
 * @param epoch epoch of the zone at the end of the recovery
 * @param detectedMs wall clock of the begin, in milliseconds since 1970
 * @param fencedMs when the owner's own copy was fenced and reported
 * @param chosenMs when the node saw itself as new owner
 * @param restoredMs when all chunks were in memory
 * @param shippedMs when all other backups had the same changes
 * @param servedMs when the zone was served
 * @param chunks number of chunks restored
 */
public record RecoveryView(int zone, int epoch, long detectedMs, double fencedMs, double chosenMs, double restoredMs,
                           double shippedMs, double servedMs, long chunks) {
    private static final double MS = 1e6;

    static RecoveryView of(Recovery times) {
        return new RecoveryView(times.zone(), times.epoch(), times.detectedMs(), times.fencedNs() / MS,
            times.chosenNs() / MS, times.restoredNs() / MS, times.shippedNs() / MS, times.servedNs() / MS,
            times.chunks());
    }
}
