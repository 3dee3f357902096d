package io.teff.cluster.raft;

import io.microraft.RaftEndpoint;

/**
 * A member of the cell: a superpeer with a folder.
 *
 * <p>With its folder a superpeer loses its votes and its log. So a superpeer with a new folder is another member: the
 * number stays, the birth differs.
 *
 * @param number number of the superpeer, from 0
 * @param birth random number of the folder, never 0
 */
public record RaftId(int number, long birth) implements RaftEndpoint {
    @Override
    public Object getId() {
        return this;
    }

    @Override
    public String toString() {
        return "superpeer " + number + " (" + Long.toHexString(birth) + ")";
    }
}
