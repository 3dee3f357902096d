package io.teff.cluster.net.report;

import java.util.Map;

/**
 * How a network is doing. Counts are since it was opened, and may be some messages apart from each other while
 * something happens.
 *
 * @param messagesSent messages that were sent, without requests and answers
 * @param messagesHandled messages and requests that handlers of this node have handled
 * @param messagesUnhandled messages and requests that came and have no handler
 * @param handlerFailures handlers that have thrown, or could not read their message
 * @param requestsSent requests that were sent; each has ended in one of the three ways that follow, or is in flight
 * @param requestsAnswered requests that were answered
 * @param requestsFailed requests that have ended with their session or network, or by a failure of the other side
 * @param requestsTimedOut requests that had no answer in time
 * @param requestsInFlight requests that wait for their answers now
 * @param bytesSent bytes that links have taken, with heads and what was sent again, without greetings
 * @param bytesReceived bytes that links have brought, likewise
 * @param linksMade links on which both sides have proved themselves
 * @param linksLost links of these that have ended, but for those that another one has replaced, or that rest
 * @param linksDelayed times that nothing was heard of such a link for half as long as it may be silent
 * @param linksRested links of these that this node or the other has closed to rest
 * @param linksFailed links that have ended in front of that, but were not refused, or by TLS only
 * @param linksRefused links that this node or the other has refused, by reason, as PROTOCOL.md names them; immutable
 * @param linksOpen links that carry a session now
 * @param connectionsResting connections whose link rests now
 * @param sessionsBegun sessions that have begun
 * @param sessionsResumed links that went on with a session
 * @param sessionsLost sessions that could not go on
 * @param ringBytes bytes of the send buffers that connections have now
 * @param poolBytes bytes of all memory for send buffers now, used or not
 * @param roomWaits sends that have waited for room
 * @param roomWaitNs nanoseconds that they have waited, together
 * @param refusedFull sends that have failed because there was no room, at once or in time
 */
public record NetworkStats(long messagesSent, long messagesHandled, long messagesUnhandled, long handlerFailures,
                           long requestsSent, long requestsAnswered, long requestsFailed, long requestsTimedOut,
                           long requestsInFlight, long bytesSent, long bytesReceived, long linksMade, long linksLost,
                           long linksDelayed, long linksRested, long linksFailed, Map<String, Long> linksRefused,
                           long linksOpen, long connectionsResting, long sessionsBegun, long sessionsResumed,
                           long sessionsLost, long ringBytes, long poolBytes, long roomWaits, long roomWaitNs,
                           long refusedFull) {
    /** Copies the map. */
    public NetworkStats {
        linksRefused = Map.copyOf(linksRefused);
    }
}
