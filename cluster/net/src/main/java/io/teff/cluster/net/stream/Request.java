package io.teff.cluster.net.stream;

import io.teff.cluster.net.event.RequestFailedEvent;
import io.teff.cluster.net.message.DeniedException;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawReader;
import io.teff.cluster.net.thread.AnswerWait;
import io.teff.cluster.net.thread.UserCode;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request waiting for its answer.
 *
 * @param <R> type of the answer
 */
public final class Request<R> {
    public final int nid;
    private final int self;
    public final long deadlineNs;
    final MessageType<?> answer;
    /** Reads an answer of bytes; null if the answer has a codec. */
    private final @Nullable RawReader<R> reader;
    /** Whether the sender's thread does nothing but wait for the answer. */
    final boolean isAwaited;
    private final AnswerFuture<R> future;
    /** Set before the request is in the table. */
    volatile long correlation;
    /** The table, set likewise. */
    private @Nullable PendingRequests table;
    /** Set before the request is sent. */
    volatile @Nullable Session session;
    /** Whether the whole request is in the stream of its session. */
    private volatile boolean isPut;
    /** Whether the end of the request waits for room behind other messages. */
    private volatile boolean isPutLater;
    /** Whether the request has ended without an answer of the peer. */
    private volatile boolean isGivenUp;

    /**
     * Makes a request without sending.
     *
     * @param self NID of this node
     * @param nid of the other node
     * @param isAwaited whether the sender's thread does nothing but wait for the answer
     * @param wait asked by threads about to wait for the answer
     */
    public Request(int self, int nid, long deadlineNs, MessageType<R> answer, boolean isAwaited, AnswerWait wait) {
        this(self, nid, deadlineNs, answer, null, isAwaited, wait);
    }

    /**
     * Makes a request without sending.
     *
     * @param self NID of this node
     * @param nid of the other node
     * @param answer type of the answer
     * @param reader reads an answer of bytes; null if the codec of the answer's type reads the answer
     * @param isAwaited whether the sender's thread does nothing but wait for the answer
     * @param wait asked by threads about to wait for the answer
     */
    public Request(int self, int nid, long deadlineNs, MessageType<?> answer, @Nullable RawReader<R> reader,
                   boolean isAwaited, AnswerWait wait) {
        this.self = self;
        this.nid = nid;
        this.deadlineNs = deadlineNs;
        this.answer = answer;
        this.reader = reader;
        this.isAwaited = isAwaited;
        this.future = new AnswerFuture<>(wait, this);
    }

    /** {@return the future that ends with the request} */
    public CompletableFuture<R> future() {
        return future;
    }

    /** Called before the request is in the table. */
    void addedTo(PendingRequests requests, long number) {
        table = requests;
        correlation = number;
    }

    /** {@return whether the answer is bytes without a codec} */
    boolean isRaw() {
        return reader != null;
    }

    /** Reads the answer. */
    @SuppressWarnings("unchecked")
    R read(Delivery delivery) throws Exception {
        final RawReader<R> its = reader;
        if (its == null) {
            return delivery.read((MessageType<R>) answer);
        }
        delivery.checkRaw(answer.bytesMax());
        return its.read(delivery.memory(), delivery.offset(), delivery.length());
    }

    /** Ends the request with an answer. */
    void complete(R value) {
        future.end(value);
    }

    /** Ends the request, because the codec has thrown while reading the answer. */
    void failUnreadable(Throwable thrown) {
        future.endExceptionally(new NetworkException(Reason.FAILED, nid, "the answer cannot be read", thrown));
    }

    /** Ends the request without an answer. */
    void fail(Reason reason, String what) {
        RequestFailedEvent.emit(self, nid, answer.id(), reason);
        if (reason == Reason.DENIED) {
            final DeniedException denied = DeniedException.of(what);
            future.endExceptionally(new NetworkException(reason, nid, UserCode.text(denied), denied));
        } else {
            future.endExceptionally(new NetworkException(reason, nid, what));
        }
    }

    // ---- given up ----

    /** Called when the application has ended the future itself. */
    void giveUp() {
        final PendingRequests its = table;
        if (its != null) {
            its.giveUp(this);
        }
    }

    /** Called when all of the request is in the stream. */
    void put() {
        isPut = true;
        if (isGivenUp) {
            withdraw();
        }
    }

    /** Called when the session keeps the rest of the request until there is room. */
    void putLater() {
        isPutLater = true;
        put();
    }

    /** Called when the request has ended although the peer may not have handled it. */
    void unwanted() {
        isGivenUp = true;
        if (isPut) {
            withdraw();
        }
    }

    /** {@return whether the request has ended, so that it need not be sent} */
    boolean isGivenUp() {
        return isGivenUp;
    }

    private void withdraw() {
        final Session its = session;
        if (its != null) {
            its.withdraw(answer.id(), correlation, isPutLater);
        }
    }
}
