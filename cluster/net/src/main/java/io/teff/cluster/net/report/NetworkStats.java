package io.teff.cluster.net.report;

import java.util.Map;

/**
 * Statistics of a network. Counts are since the network was opened; while the network is in use, related counts may
 * differ by some messages.
 *
 * @param messagesSent sent messages, without requests and answers
 * @param messagesHandled messages and requests handled by handlers of this node
 * @param messagesUnhandled messages and requests without a handler
 * @param handlerFailures handlers that have thrown, or could not read a message
 * @param requestsWithdrawn requests to this node not handled, because the callers had given up
 * @param requestsOpen requests to this node now waiting for a later answer of their handlers
 * @param requestsUnanswered requests with a later answer that were not answered while their callers waited: until a
 *     caller gave up, or the caller's session ended
 * @param requestsSent requests sent; each request has ended in one of the following three ways, or is in flight
 * @param requestsAnswered requests with an answer
 * @param requestsFailed requests ended with their session or network, by a failure of the other side, by an interrupt
 *     of the caller, or by the caller ending the future
 * @param requestsTimedOut requests without an answer in time
 * @param requestsInFlight requests now waiting for an answer
 * @param bytesSent bytes taken by links, with heads and repetitions, without greetings
 * @param bytesReceived bytes delivered by links, with heads and repetitions, without greetings
 * @param linksMade links with mutual authentication
 * @param linksLost authenticated links that have ended, except replaced links and resting links
 * @param linksDelayed times at which an authenticated link was silent for half of the permitted silence
 * @param linksRested authenticated links closed to rest by either node
 * @param linksFailed links ended before authentication, without a refusal. Refusals by TLS are included
 * @param linksRefused links refused by either node, by reason, with the reasons of PROTOCOL.md; immutable
 * @param linksCutShort links closed by this node whose peer may miss the last bytes, because the transport's time for
 *     the bytes was over; only counted by transports with such a time: {@code ucx:}, {@code verbs:}
 * @param linksOpen links now carrying a session
 * @param connectionsResting connections with a link at rest now
 * @param sessionsBegun new sessions with a node, without resumed sessions
 * @param sessionsResumed links over which a session was resumed
 * @param sessionsLost sessions that ended because they could not continue, the node was never reached, or either
 *     network was closed; the listener's {@code lost} was called, or is about to be, once for each
 * @param ringBytes bytes of the send buffers held by connections now
 * @param poolBytes bytes of all memory for send buffers now, used or not
 * @param roomWaits sends that waited for room
 * @param roomWaitNs total of the waits for room, in nanoseconds
 * @param refusedFull sends that failed for lack of room, at once or after a wait
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
