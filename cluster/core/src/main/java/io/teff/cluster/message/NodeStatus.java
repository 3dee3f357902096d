package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRef;
import java.util.List;

/**
 * The status of a node, as the node itself sees it.
 *
 * @param name the node's name, for people
 * @param role {@code superpeer} or {@code peer}
 * @param node the node's life; incarnation 0 for superpeers, which have none
 * @param pid id of its process
 * @param upMs milliseconds since its start
 * @param heapBytes used bytes of the Java heap
 * @param version version of the tables that the node has
 * @param isLeading whether it is the leading superpeer
 * @param holdsLease whether it holds its lease; false for superpeers
 * @param memoryBytes memory of its store, including what is free in it; 0 for superpeers
 * @param logBytes bytes on its disk
 * @param problem what keeps it from its work, for people; empty if nothing does
 * @param zones the zones that it serves; empty unless asked for
 * @param copies the copies of zones that it keeps as a backup; empty unless asked for
 */
public record NodeStatus(String name, String role, NodeRef node, long pid, long upMs, long heapBytes, long version,
                         boolean isLeading, boolean holdsLease, long memoryBytes, long logBytes, String problem,
                         List<ZoneUse> zones, List<CopyUse> copies) {

    /**
     * What a zone holds.
     *
     * @param zone the zone
     * @param chunks number of chunks
     * @param bytes their payload
     */
    public record ZoneUse(int zone, long chunks, long bytes) {}

    /**
     * A copy of a zone at a backup.
     *
     * @param zone the zone
     * @param copy number of the copy
     * @param last number of the last change that it has logged
     */
    public record CopyUse(int zone, int copy, long last) {}

    /** Copies the lists. */
    public NodeStatus {
        zones = List.copyOf(zones);
        copies = List.copyOf(copies);
    }
}
