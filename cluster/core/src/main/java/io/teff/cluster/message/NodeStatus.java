package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRef;
import java.util.List;

/**
 * The status of a node, as seen by the node itself.
 *
 * @param name the node's name, for people
 * @param role {@code superpeer} or {@code peer}
 * @param node the node's life; incarnation 0 for superpeers, because superpeers have no incarnation
 * @param pid id of the node's process
 * @param upMs milliseconds since the start of the process
 * @param heapBytes used bytes of the Java heap
 * @param version of the node's tables
 * @param isLeading whether the node is the leading superpeer
 * @param holdsLease whether the node holds a lease; false for superpeers
 * @param memoryBytes memory of the node's store, including free memory of the store; 0 for superpeers
 * @param logBytes bytes on the node's disk
 * @param problem obstacle to the node's work, for people; empty without a problem
 * @param zones the zones served by the node; empty unless asked for
 * @param copies the copies of zones kept by the node as a backup; empty unless asked for
 */
public record NodeStatus(String name, String role, NodeRef node, long pid, long upMs, long heapBytes, long version,
                         boolean isLeading, boolean holdsLease, long memoryBytes, long logBytes, String problem,
                         List<ZoneUse> zones, List<CopyUse> copies) {

    /**
     * The content of a zone.
     *
     * @param zone id of the zone
     * @param chunks number of chunks
     * @param bytes payload of all chunks
     */
    public record ZoneUse(int zone, long chunks, long bytes) {}

    /**
     * A copy of a zone at a backup.
     *
     * @param zone id of the zone
     * @param copy number of the copy
     * @param last number of the last change logged by the backup
     */
    public record CopyUse(int zone, int copy, long last) {}

    /** Copies the lists. */
    public NodeStatus {
        zones = List.copyOf(zones);
        copies = List.copyOf(copies);
    }
}
