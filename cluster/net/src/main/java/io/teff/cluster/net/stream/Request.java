package io.teff.cluster.net.stream;

import io.teff.cluster.net.event.RequestFailedEvent;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for its answer.
 *
 * @param <R> type of the answer
 */
public final class Request<R> {
    public final int nid;
    private final int self;
    public final long deadlineNs;
    final MessageType<R> answer;
    /** Whether the sender's thread does nothing but wait for the answer. */
    final boolean isAwaited;
    public final CompletableFuture<R> future = new CompletableFuture<>();
    /** Set before the request is in the table. */
    volatile long correlation;
    /** Set before the request is sent. */
    volatile @Nullable Session session;

    public Request(int self, int nid, long deadlineNs, MessageType<R> answer, boolean isAwaited) {
        this.self = self;
        this.nid = nid;
        this.deadlineNs = deadlineNs;
        this.answer = answer;
        this.isAwaited = isAwaited;
    }

    /** Ends the request with its answer. */
    void complete(R value) {
        future.complete(value);
    }

    /** Ends the request, as its codec has thrown when it read the answer. */
    void failUnreadable(Throwable thrown) {
        future.completeExceptionally(new NetworkException(Reason.FAILED, nid, "the answer cannot be read", thrown));
    }

    /** Ends the request without an answer. */
    void fail(Reason reason, String what) {
        RequestFailedEvent.emit(self, nid, answer.id(), reason);
        future.completeExceptionally(new NetworkException(reason, nid, what));
    }
}
