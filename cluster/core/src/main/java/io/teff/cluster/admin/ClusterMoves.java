package io.teff.cluster.admin;

import java.util.List;

/**
 * Moves of zones between living peers, by persons. Zones are used while they move. A move copies the zone to the next
 * owner at the pace of {@code peer.copy-rate}, unless the next owner has a copy, and then hands the zone over: calls
 * wait while the next owner reads the zone from its log. Thread-safe; belongs to a {@link ClusterAdmin}, and ends with
 * the connection.
 */
public interface ClusterMoves {
    /**
     * The work that unloads a peer.
     *
     * @param node life of the peer
     * @param zones number of zones owned by the peer
     * @param bytes payload of these zones
     * @param copies number of zones of which the peer is a backup
     * @param isUnloaded whether the peer is being unloaded, or is unloaded
     * @param isAlive whether the life counts; after its end, its zones are recovered as after each end of a peer
     */
    record Unloading(NodeLife node, int zones, long bytes, int copies, boolean isUnloaded, boolean isAlive) {
        /** {@return whether the peer owns no zone and is no backup} */
        public boolean isDone() {
            return zones == 0 && copies == 0;
        }
    }

    /**
     * Finds out whether a peer can be unloaded. The cluster needs enough peers besides, and memory for the zones at
     * these peers, and each zone of the peer must be able to move. Asks all peers for their status, as {@link
     * ClusterAdmin#status} does.
     *
     * @param nid NID of the peer
     * @return what is to be done
     * @throws MoveRefusedException if the unloading could not end; nothing has begun
     */
    Unloading check(int nid) throws MoveRefusedException;

    /**
     * Begins to unload a peer, if {@link #check} finds that it can end. From then on the cluster moves the zones of the
     * peer to other peers, and replaces its copies, also without this connection, until the life of the peer ends or
     * {@link #reload} is called. See {@link #progress}.
     *
     * @param nid NID of the peer
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @return what is to be done
     * @throws MoveRefusedException if the unloading could not end, or no superpeer led in time; a superpeer may then
     *     begin later
     */
    Unloading unload(int nid, long patienceNs) throws MoveRefusedException;

    /**
     * Ends the unloading of a peer: the peer takes zones and copies again.
     *
     * @param nid NID of the peer
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @throws MoveRefusedException if the peer does not run, or no superpeer led in time
     */
    void reload(int nid, long patienceNs) throws MoveRefusedException;

    /**
     * Reads from the tables what is left of the unloading of a peer. The payload is 0, because no peer is asked.
     *
     * @param nid NID of the peer
     * @return what is left to be done
     * @throws MoveRefusedException if there is no such peer, or no superpeer answers
     */
    Unloading progress(int nid) throws MoveRefusedException;

    /**
     * Plans moves after which the peers have about equal shares of bytes and of operations. The busiest peers give
     * zones away first. Each step makes the shares more equal, and the numbers of zones stay as equal as they are.
     * Operations are counted between two statuses of a cluster.
     *
     * @param before a status
     * @param after a later status
     * @param elapsedNs time between both, in nanoseconds, above 0
     * @return the moves, by their steps; empty if no move would make a difference of more than a hundredth
     */
    List<ZoneMove> plan(ClusterStatus before, ClusterStatus after, long elapsedNs);

    /**
     * Begins a move. The move has ended well when {@link ClusterAdmin#tables} show the new owner in a served state.
     *
     * @param move a move of a plan
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @throws MoveRefusedException if the zone cannot move now, or has changed since the plan was made
     */
    void move(ZoneMove move, long patienceNs) throws MoveRefusedException;

    /** {@return with how many peers a peer shares zones, about, by the last tables; 0 for all peers} */
    int scatterWidth();

    /**
     * Changes with how many peers a peer shares zones. Zones keep their backups until {@link #spread} moves them.
     *
     * @param width the width, from 0 to 10,000; 0 for all peers
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @throws MoveRefusedException if no superpeer led in time
     */
    void setScatterWidth(int width, long patienceNs) throws MoveRefusedException;

    /**
     * Plans moves of backups, after which the copies of each zone are in different racks, as far as there are racks,
     * and peers share zones with about as many peers as the width says. Owners stay. Plans with the placement of the
     * cluster itself.
     *
     * @param width with how many peers a peer shares zones; 0 for all peers
     * @return the moves; those of a zone stand together, in their order; empty if all backups are at their places
     * @throws MoveRefusedException if no superpeer answers
     */
    List<BackupMove> spread(int width) throws MoveRefusedException;

    /**
     * Takes the next step of a move of a backup, if a step is due. A move has two steps: the zone gets the new backup,
     * and gives up the other backup once the new backup has the whole zone. So the zone never has fewer backups than
     * before, and a move that is not finished leaves a backup more.
     *
     * @param move a move of a plan
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @return whether the move is done
     * @throws MoveRefusedException if the zone cannot change now, or no superpeer led in time
     */
    Progress step(BackupMove move, long patienceNs) throws MoveRefusedException;

    /** Progress of the move of a backup. */
    enum Progress {
        /** The new backup has not got the whole zone yet. */
        COPYING,
        /** The zone has the backups of the plan. */
        DONE
    }

    /**
     * Gives back the NID of a peer that is gone for good. No zone waits for a copy of the peer from then on, and the
     * status shows the peer no more. A node with the folder of the peer joins as a new peer. Another folder gets the
     * NID when all other NIDs are given.
     *
     * @param nid NID of the peer
     * @param patienceNs longest time until a superpeer leads, in nanoseconds
     * @throws MoveRefusedException if the peer runs, a zone needs its copy, or no superpeer led in time
     */
    void forget(int nid, long patienceNs) throws MoveRefusedException;
}
