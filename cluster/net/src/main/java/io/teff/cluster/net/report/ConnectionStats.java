package io.teff.cluster.net.report;


/**
 * Statistics of the connection to a node. Counts are since the network was opened, over all sessions and links.
 *
 * @param nid the node
 * @param state of the connection
 * @param messagesSent messages, requests and answers put into the stream to the node, arrived or not
 * @param messagesReceived completely arrived messages, requests and answers, handled or not
 * @param bytesSent bytes taken by links, with heads and repetitions, without greetings
 * @param bytesReceived bytes delivered by links, with heads and repetitions, without greetings
 * @param unacknowledgedBytes bytes of the stream not yet acknowledged by the node
 * @param ringBytes bytes of the send buffer
 * @param reconnects links made after the first link
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
        /** The link is lost, or rests and is needed again: the session waits for the next link. */
        AWAY,
        /** The link was closed to rest: the session continues, and makes a new link with the next message. */
        RESTING
    }
}
