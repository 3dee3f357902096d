package io.teff.cluster.peer;

import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.operation.ZoneHost;
import java.util.concurrent.CompletableFuture;

/** How messages travel between simulated nodes: by a model of the network, or by real networks over simulated links. */
interface SimWire {
    /** Sends a request to a superpeer. The future ends in the process that has sent it, or never. */
    <Q, R> CompletableFuture<R> request(SimNode from, int nid, RequestType<Q, R> type, Q request, long timeoutNs);

    /** Sends runs or answers of a life to a peer; returns false if there is no room. */
    boolean offer(SimPeer from, int fromNid, SimNode to, int nid, int lane, RawType type, byte[] message);

    /**
     * Sends an operation to the owner of its chunk.
     *
     * @param told hears of the answer, or that there is none; null if nobody waits
     * @return gives the request up
     */
    Runnable operation(SimClient from, SimPeer owner, int nid, byte[] request, long timeoutNs, Told told);

    /** Hears of the end of a request. */
    interface Told {
        void answered(byte[] answer);

        /**
         * There will be no answer.
         *
         * @param isSent whether the request has left
         */
        void failed(NetworkException why, boolean isSent);

        /** A request without a caller. */
        Told NOBODY = new Told() {
            @Override
            public void answered(byte[] answer) {}

            @Override
            public void failed(NetworkException why, boolean isSent) {}
        };
    }

    // ---- what happens to nodes; a model need not know ----

    /** Returns where others find a node. */
    default String address(SimNode node) {
        return "loop:sim";
    }

    /** Does something where no message is being handled. */
    default void apart(SimNode node, Runnable task) {
        task.run();
    }

    /** A process of a superpeer has begun. */
    default void begun(SimSuperpeer superpeer) {}

    /** A client has begun. */
    default void begun(SimClient client) {}

    /** A peer without a life begins to ask for one. */
    default void joins(SimPeer peer) {}

    /** A life has begun. */
    default void lives(SimPeer peer, PeerCore core, ZoneHost host) {}

    /** A life has ended, and its process goes on. */
    default void lifeEnds(SimPeer peer) {}

    /** A process, or its machine, has ended. */
    default void ends(SimNode node, boolean hasNoPower) {}

    /** One direction between two nodes is mended. */
    default void mended(SimNode from, SimNode to) {}

    /** Whether messages travel by networks, which close, and tell peers of lost sessions; a model does not. */
    default boolean isReal() {
        return false;
    }

    /** Begins faults of its own. */
    default void beginFaults() {}

    /** Ends everything, and frees all memory. */
    default void close() {}
}
