package io.teff.cluster.terminal.node;

import io.teff.cluster.admin.NodeStatus.CopyUse;
import io.teff.cluster.admin.NodeStatus.ZoneUse;
import java.util.List;

/**
 * Zones, shipping and recovery of a peer as JMX shows them: {@code io.teff.cluster:type=Peer,name=<name>}. All numbers
 * belong to the peer's current life.
 */
public interface PeerMXBean {
    // ---- zones ----

    /** {@return what the zones hold that this peer serves} */
    List<ZoneUse> getZones();

    /** {@return the copies of zones that this peer keeps as a backup, also those that no longer count} */
    List<CopyUse> getCopies();

    // ---- shipping ----

    /** {@return bytes of the ring of changes} */
    long getRingBytes();

    /** {@return bytes of the ring that are claimed, and have not left it} */
    long getRingUsedBytes();

    /** {@return bytes of changes that have left the ring for the backups} */
    long getShippedBytes();

    /** {@return memory of changes that not all backups have acknowledged, beside about 1 KiB for each zone} */
    long getKeptBytes();

    /** {@return number of changes that not all backups have acknowledged} */
    long getChangesBehind();

    /** {@return number of answers that wait for acknowledgements} */
    long getAnswersWaiting();

    /** {@return number of changes that were refused because ring or backups had no room} */
    long getChangesRefused();

    /** {@return how often a thread that had begun a change has waited for room} */
    long getRingWaits();

    /** {@return number of changes that their threads could not end} */
    long getRecordsAbandoned();

    /** {@return how often changes have waited for a thread that did not end its record} */
    long getStalls();

    // ---- backups for other peers ----

    /** {@return number of runs of others that this peer has acknowledged} */
    long getRunsLogged();

    /** {@return bytes of these} */
    long getRunBytesLogged();

    /** {@return number of runs that did not continue their copy} */
    long getRunGaps();

    /** {@return number of runs that the log had no room for} */
    long getRunsRefused();

    // ---- recovery ----

    /** {@return timelines of the last recoveries to this peer, oldest first} */
    List<RecoveryView> getRecoveries();
}
