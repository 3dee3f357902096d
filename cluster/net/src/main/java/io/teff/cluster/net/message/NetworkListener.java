package io.teff.cluster.net.message;

import io.teff.cluster.net.config.NetworkConfig;
import org.jspecify.annotations.Nullable;

/**
 * Told what happens to connections. Called on the agents' threads and the handlers': must be short, must not wait, and
 * must be thread-safe. What it throws changes nothing, and goes to the thread's handler of uncaught exceptions.
 */
public interface NetworkListener {
    /** Wants to know nothing. */
    NetworkListener NONE = new NetworkListener() { };

    /**
     * Messages go to and come from a node.
     *
     * @param nid the node
     */
    default void up(int nid) {}

    /**
     * Nothing was heard of a node for half as long as a link may be silent, though it stands: the node is overloaded,
     * or stopped, or the network is cut. Told once while that lasts; what was sent waits. The link carries on, or
     * {@link #away} follows.
     *
     * @param nid the node
     * @param silentNs for how many nanoseconds
     */
    default void delayed(int nid, long silentNs) {}

    /**
     * The link to a node is gone; what was sent waits for another.
     *
     * @param nid the node
     * @param why what has failed, or null
     */
    default void away(int nid, @Nullable Throwable why) {}

    /**
     * The link to a node was closed by either side, as others need its place and nothing was on its way. This is no
     * failure: the next message makes another, in the same session.
     *
     * @param nid the node
     */
    default void resting(int nid) {}

    /**
     * The session with a node has ended; the next message begins another. Also of a node that was never reached, and
     * without {@link #away} before it where either node closes.
     *
     * @param nid the node
     * @param messages how many the other node may or may not have received, or parts of them. What it has received is
     *     not among them, though it may end before it handles that
     * @param why for people
     */
    default void lost(int nid, long messages, String why) {}

    /**
     * This node or another has refused a link between them: they are of different clusters, have different secrets, do
     * not trust each other's certificates, or the like. Anybody who reaches this node can make that happen, as often as
     * he calls: who writes it to a log limits how often. Who has called with another secret is not told why, and sees
     * {@link #lost}.
     *
     * @param nid the node that was called, or who has called said that it is, which proves nothing; -1 if it said
     *     nothing
     * @param peer where the link is from or to
     * @param why for people
     */
    default void refused(int nid, String peer, String why) {}

    /**
     * A message came for which there is no handler.
     *
     * @param nid the sender
     * @param type of the message
     */
    default void unhandled(int nid, int type) {}

    /**
     * A handler has thrown, a message could not be read, or the executor of {@link NetworkConfig.Builder#handlers} has
     * refused it.
     *
     * @param nid the sender
     * @param type of the message
     * @param thrown what was thrown
     */
    default void failed(int nid, int type, Throwable thrown) {}
}
