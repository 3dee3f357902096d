package io.teff.cluster.meta;

import java.util.Objects;
import java.util.UUID;

/**
 * A row of the table of nodes.
 *
 * @param nid the node's id, bound to the folder of the node
 * @param incarnation number of the node's current or last life
 * @param isAlive whether this life counts; false for ever after the end
 * @param folder id of the node's data folder
 * @param start random number of the process's start; distinguishes a repeated join from the join of a second process
 * @param address where the node listens, or an empty text for a client
 * @param roles what the node does
 * @param zonesGiven number of zones ever given to the node; the placement of backups depends on this number
 * @param request the node's last answered request for zones, or 0
 * @param firstGiven first zone of the answer to {@code request}
 * @param countGiven number of zones of the answer to {@code request}
 * @param version version of the tables in which the row last changed
 * @param isContested whether a later process with the node's folder waits for the end of this life
 * @param rack name of the rack of the node; empty for a rack of its own. Rows of versions without racks have no name
 */
public record NodeRow(int nid, int incarnation, boolean isAlive, UUID folder, long start, String address, Roles roles,
                      int zonesGiven, long request, int firstGiven, int countGiven, long version,
                      boolean isContested, String rack) {
    /** Upper half of the folder id of a forgotten node; a random id never has this half, because of its version. */
    static final long FORGOTTEN = Long.MIN_VALUE;

    /** Replaces a rack that is missing in rows of earlier versions. */
    public NodeRow {
        rack = Objects.requireNonNullElse(rack, "");
    }

    /** Makes the row of a node without the name of a rack. */
    public NodeRow(int nid, int incarnation, boolean isAlive, UUID folder, long start, String address, Roles roles,
                   int zonesGiven, long request, int firstGiven, int countGiven, long version, boolean isContested) {
        this(nid, incarnation, isAlive, folder, start, address, roles, zonesGiven, request, firstGiven, countGiven,
            version, isContested, "");
    }

    /** {@return the node's current or last life} */
    public NodeRef reference() {
        return new NodeRef(nid, incarnation);
    }

    /** {@return whether the node is a client} */
    public boolean isClient() {
        return nid >= MetadataMachine.NID_FIRST_CLIENT;
    }

    /** {@return whether the node is a peer whose zones and copies move to other peers} */
    public boolean isUnloaded() {
        return isAlive && !isClient() && roles.equals(Roles.NONE);
    }

    /** {@return whether the NID belongs to no folder any more, because the peer is gone for good} */
    public boolean isForgotten() {
        return folder.getMostSignificantBits() == FORGOTTEN;
    }

    /** {@return whether this life of the node counts} */
    boolean lives(NodeRef reference) {
        return isAlive && incarnation == reference.incarnation();
    }

    NodeRow at(long other) {
        return new NodeRow(nid, incarnation, isAlive, folder, start, address, roles, zonesGiven, request, firstGiven,
            countGiven, other, isContested, rack);
    }

    NodeRow with(Roles other, long at) {
        return new NodeRow(nid, incarnation, isAlive, folder, start, address, other, zonesGiven, request, firstGiven,
            countGiven, at, isContested, rack);
    }

    NodeRow boundTo(UUID other, long at) {
        return new NodeRow(nid, incarnation, isAlive, other, start, "", roles, zonesGiven, request, firstGiven,
            countGiven, at, isContested, "");
    }

    NodeRow ended(long at) {
        return new NodeRow(nid, incarnation, false, folder, start, address, roles, zonesGiven, request, firstGiven,
            countGiven, at, false, rack);
    }

    NodeRow contested(long at) {
        return new NodeRow(nid, incarnation, isAlive, folder, start, address, roles, zonesGiven, request, firstGiven,
            countGiven, at, true, rack);
    }

    NodeRow gave(int count, long newRequest, int first, long at) {
        return new NodeRow(nid, incarnation, isAlive, folder, start, address, roles, zonesGiven + count, newRequest,
            first, count, at, isContested, rack);
    }
}
