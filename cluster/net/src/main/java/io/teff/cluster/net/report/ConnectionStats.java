package io.teff.cluster.net.report;


/**
 * Statistics of the connection to a node. Counts are since the network was opened, over all sessions and links.
 *
 * @param nid the node
 * @param state of the connection
 * @param messagesSent messages, requests and answers that were put into the stream to the node, arrived or not
 * @param messagesReceived messages, requests and answers that have arrived completely, handled or not
 * @param bytesSent bytes that links have taken, with heads and repetitions, without greetings
 * @param bytesReceived bytes that links have delivered, with heads and repetitions, without greetings
 * @param unacknowledgedBytes bytes of the stream that the node may not have yet
 * @param ringBytes bytes of the send buffer
 * @param reconnects links that were made besides the first
 * @param idleNs nanoseconds since a part of a message was sent or received, or since the connection was first used
 */
public record ConnectionStats(int nid, State state, long messagesSent, long messagesReceived, long bytesSent,
                              long bytesReceived, long unacknowledgedBytes, long ringBytes, long reconnects,
                              long idleNs) {
    /**
     * Returns the statistics of a node without a connection.
     *
     * @param nid the node
     * @return zeros, and the state NONE
     */
    public static ConnectionStats none(int nid) {
        return new ConnectionStats(nid, State.NONE, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    /** States of a connection. */
    public enum State {
        /** There is no link and no session. */
        NONE,
        /** A link is being made, for the first time in this session. */
        GREETING,
        /** There is a link. */
        UP,
        /** The link is lost, or rests and is needed again: the session waits for another. */
        AWAY,
        /** The link was closed to rest: the session continues, and makes another link with the next message. */
        RESTING
    }
}
