package io.teff.cluster.net.report;


/**
 * How the connection to a node is doing. Counts are since the network was opened, over all sessions and links.
 *
 * @param nid the node
 * @param state what it is now
 * @param messagesSent messages, requests and answers that are in the stream to the node, arrived or not
 * @param messagesReceived messages, requests and answers that have come as a whole, handled or not
 * @param bytesSent bytes that links have taken, with heads and what was sent again, without greetings
 * @param bytesReceived bytes that links have brought, likewise
 * @param unacknowledgedBytes bytes of the stream that the node may not have yet
 * @param ringBytes bytes of its send buffer now
 * @param reconnects links that were made besides the first
 * @param idleNs nanoseconds since a part of a message was sent or has come, or since the node was first thought of
 */
public record ConnectionStats(int nid, State state, long messagesSent, long messagesReceived, long bytesSent,
                              long bytesReceived, long unacknowledgedBytes, long ringBytes, long reconnects,
                              long idleNs) {
    public static ConnectionStats none(int nid) {
        return new ConnectionStats(nid, State.NONE, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** What a connection can be. */
    public enum State {
        /** There is no link and no session. */
        NONE,
        /** A link is being made, for the first time in this session. */
        GREETING,
        /** There is a link. */
        UP,
        /** The link is lost, or rests and is needed again: the session waits for another. */
        AWAY,
        /** The link was closed to rest: the session goes on, and makes another with the next message. */
        RESTING
    }
}
