package io.teff.cluster.net.report;

import java.util.Map;

/**
 * Statistics of a network. Counts are since it was opened; while it is in use they may differ from each other by some
 * messages.
 *
 * @param messagesSent messages that were sent, without requests and answers
 * @param messagesHandled messages and requests that handlers of this node have handled
 * @param messagesUnhandled messages and requests without a handler
 * @param handlerFailures handlers that have thrown, or could not read their message
 * @param requestsWithdrawn requests to this node that were not handled, as their callers had given them up
 * @param requestsOpen requests to this node that wait now for an answer that their handlers give later
 * @param requestsUnanswered such requests that were not answered while their callers waited: until they gave up, or
 *     their session ended
 * @param requestsSent requests that were sent; each has ended in one of the three ways that follow, or is in flight
 * @param requestsAnswered requests that were answered
 * @param requestsFailed requests that have ended with their session or network, by a failure of the other side, or
 *     because their callers were interrupted or have ended the future themselves
 * @param requestsTimedOut requests without an answer in time
 * @param requestsInFlight requests that wait for their answers now
 * @param bytesSent bytes that links have taken, with heads and repetitions, without greetings
 * @param bytesReceived bytes that links have delivered, with heads and repetitions, without greetings
 * @param linksMade links on which both sides have authenticated
 * @param linksLost number of these links that have ended, except links that another link has replaced, or that rest
 * @param linksDelayed times that such a link was silent for half as long as it may be
 * @param linksRested links of these that either node has closed to rest
 * @param linksFailed links that have ended before both sides authenticated, and were not refused, except by TLS
 * @param linksRefused links that either node has refused, by reason, as PROTOCOL.md names them; immutable
 * @param linksCutShort links that this node has closed, and whose peer may miss the last bytes, as the transport's time
 *     for them was over; only counted by transports that have such a time: {@code ucx:}, {@code verbs:}
 * @param linksOpen links that carry a session now
 * @param connectionsResting connections whose link rests now
 * @param sessionsBegun sessions that have begun
 * @param sessionsResumed links that have resumed a session
 * @param sessionsLost sessions that have ended, because they could not continue, the node was never reached, or either
 *     network was closed; the listener's {@code lost} was called, or is about to be, once for each
 * @param ringBytes bytes of the send buffers that connections have now
 * @param poolBytes bytes of all memory for send buffers now, used or not
 * @param roomWaits sends that have waited for room
 * @param roomWaitNs nanoseconds that they have waited, in total
 * @param refusedFull sends that have failed because there was no room, at once or in time
 */
public record NetworkStats(long messagesSent, long messagesHandled, long messagesUnhandled, long handlerFailures,
                           long requestsWithdrawn, long requestsOpen, long requestsUnanswered, long requestsSent,
                           long requestsAnswered, long requestsFailed, long requestsTimedOut, long requestsInFlight,
                           long bytesSent, long bytesReceived, long linksMade, long linksLost, long linksDelayed,
                           long linksRested, long linksFailed, Map<String, Long> linksRefused, long linksCutShort,
                           long linksOpen, long connectionsResting, long sessionsBegun, long sessionsResumed,
                           long sessionsLost, long ringBytes, long poolBytes, long roomWaits, long roomWaitNs,
                           long refusedFull) {
    /** Copies the map. */
    public NetworkStats {
        linksRefused = Map.copyOf(linksRefused);
    }
}
