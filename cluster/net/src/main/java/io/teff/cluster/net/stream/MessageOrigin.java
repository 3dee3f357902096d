package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.Caller;
import org.jspecify.annotations.Nullable;

/**
 * The session by which a message arrived. The credit and the answer of the message return to this session. Thread-safe.
 */
public interface MessageOrigin {
    /** {@return the NID of the sender} */
    int nid();

    /** {@return what the sender may do; null for a node of the cluster} */
    @Nullable Caller caller();

    /**
     * Counts bytes of the incoming stream as handled.
     *
     * @param bytes number of bytes; negative if bytes counted as handled are held again
     */
    void consumed(long bytes);

    /** {@return whether handlers are so late that the peer may send hardly more than one frame besides answers} */
    boolean isBehind();

    /**
     * Defers a request while too many answers wait for room.
     *
     * @param request to be deferred
     * @return false if the request is to be handled now
     */
    boolean hold(DeferredRequest request);

    /** {@return whether answers wait for room, so that further answers queue up behind them} */
    boolean hasLateAnswers();

    /**
     * Puts as much of a message as there is room for. An exception of the codec ends the message, also in the middle.
     *
     * @param message to be put
     * @return {@code SendStream.OK} if the whole message is put, {@code FULL}, or {@code ENDED}
     */
    int put(OutgoingMessage message);

    /**
     * Keeps the rest of a message until there is room. The bytes of the rest are encoded now, because the sender of the
     * message returns.
     *
     * @param message whose rest waits
     * @param taken bytes of the request that count as handled when the rest is put
     */
    void putLater(OutgoingMessage message, long taken);

    /** Wakes the agent: something was put. */
    void signal();

    /** {@return the requests of the sender that it has given up} */
    Withdrawals withdrawals();

    /** {@return the requests of the sender that handlers answer later} */
    OpenRequests openRequests();
}
