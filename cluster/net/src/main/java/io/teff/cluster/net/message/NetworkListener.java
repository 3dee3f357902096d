package io.teff.cluster.net.message;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import org.jspecify.annotations.Nullable;

/**
 * Notified of events of connections. Called on the agents' threads and the handlers': must be short, must not wait, and
 * must be thread-safe. Its exceptions change nothing, and go to the thread's handler of uncaught exceptions.
 */
public interface NetworkListener {
    /** Ignores all events. */
    NetworkListener NONE = new NetworkListener() { };

    /**
     * Called when a link to a node is up: messages can be exchanged.
     *
     * @param nid the node
     */
    default void up(int nid) {}

    /**
     * Called when a node was silent for half of the longest silence permitted on its link: the node is overloaded or
     * stopped, or the network is cut. Called once per silence; sent messages wait. The link carries on, or
     * {@link #away} follows.
     *
     * @param nid the node
     * @param silentNs nanoseconds of silence
     */
    default void delayed(int nid, long silentNs) {}

    /**
     * Called when the link to a node is lost; sent messages wait for the next link.
     *
     * @param nid the node
     * @param why the failure, or null
     */
    default void away(int nid, @Nullable Throwable why) {}

    /**
     * Called when either side has closed the link to a node to rest, because other links need its place and nothing was
     * on its way. This is not a failure: the next message makes a new link, in the same session.
     *
     * @param nid the node
     */
    default void resting(int nid) {}

    /**
     * Called when the session with a node has ended; the next message begins a new session. Also called for a node
     * never reached, and without {@link #away} before if either node closes.
     *
     * @param nid the node
     * @param messages number of messages, requests and answers possibly not received completely by the other node.
     *     Acknowledged messages, and requests that have ended before, whether answered or not, are not included. The
     *     other node may end before handling received messages
     * @param why for people
     */
    default void lost(int nid, long messages, String why) {}

    /**
     * Called when either node has refused a link between two nodes: the nodes belong to different clusters, have
     * different secrets, or do not trust each other's certificates, for example. Any process able to reach this node
     * can cause a refusal at any rate, so a listener that logs must limit the rate.
     *
     * @param nid the called node, or the NID claimed by a caller, without proof; -1 if no NID was claimed
     * @param peer address of the other end
     * @param why for people
     */
    default void refused(int nid, String peer, String why) {}

    /**
     * Called in place of {@link #refused} when this node has refused a caller that looks for another node at the
     * address of this node. By default a refusal like all others. A listener overrides this method if some callers
     * search, so that their refusals are no fault.
     *
     * @param nid the NID claimed by the caller, without proof
     * @param peer address of the caller
     * @param why for people
     */
    default void misdialed(int nid, String peer, String why) {
        refused(nid, peer, why);
    }

    /**
     * Called when the network has learned the identity of its cluster, from a called node or by {@link
     * io.teff.cluster.net.Network#identify}. Called once at most.
     *
     * @param cluster the identity
     */
    default void identified(ClusterId cluster) {}

    /**
     * Called when a message without a handler has arrived.
     *
     * @param nid the sender
     * @param type of the message
     */
    default void unhandled(int nid, int type) {}

    /**
     * Called when a handler has thrown, a message could not be read, or the executor of
     * {@link NetworkConfig.Builder#handlers} has rejected a message.
     *
     * @param nid the sender
     * @param type of the message
     * @param thrown the exception
     */
    default void failed(int nid, int type, Throwable thrown) {}
}
