package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.PendingAnswer;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.thread.UserCode;
import io.teff.cluster.net.wire.Frame;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A request of another node, answered by its handler at a time of the handler's choice.
 * <pre>
 *  WAITING ──its handler begins──&gt; OPEN ──answer, failure──────────────────────────&gt; ENDED
 *     │                              └──withdrawn by its caller, end of the session──┘ │
 *     └───withdrawn, end of the session, refused by the executor───────────────────────┘
 * </pre>
 *
 * <p><b>Once.</b> An atomic exchange of the state decides which thread ends the request: only this thread removes the
 * request from the session's {@link OpenRequests} and sends the answer. After the exchange the object refers to
 * nothing, so an application that keeps the object keeps no session.
 *
 * <p><b>Credit.</b> The bytes of the request count as handled when the handler of the request returns. If the bytes did
 * not count as handled before the answer, requests waiting for messages of their own sender could fill the window
 * needed by the awaited messages. The callers bound the number of open requests: each caller has a limit of requests in
 * flight.
 *
 * <p>Thread-safe.
 */
public abstract class OpenRequest implements PendingAnswer {
    private static final int WAITING = 0;
    private static final int OPEN = 1;
    private static final int ENDED = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(OpenRequest.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long correlation;
    /** The next request of the bucket; guarded by the lock of the bucket. */
    @Nullable OpenRequest next;
    private final AnswerReports reports;
    private final int from;
    private final int type;
    private final int lane;
    /** Null when the request has ended. */
    private volatile @Nullable MessageOrigin origin;
    private volatile int state;

    /**
     * Makes the handle of a request.
     *
     * @param origin of the request; null for a message that is no request. The handle of such a message has ended
     * @param from NID of the caller
     */
    OpenRequest(AnswerReports reports, @Nullable MessageOrigin origin, int from, int type, int lane, long correlation) {
        this.reports = reports;
        this.from = from;
        this.type = type;
        this.lane = lane;
        this.correlation = correlation;
        this.origin = origin;
        this.state = origin == null ? ENDED : WAITING;
    }

    @Override
    public int from() {
        return from;
    }

    @Override
    public boolean isOpen() {
        return state != ENDED;
    }

    /** Called when the handler begins; returns false if the request has ended. */
    boolean begin() {
        return STATE.compareAndSet(this, WAITING, OPEN);
    }

    @Override
    public boolean fail(String reason) {
        return fail(Reason.FAILED, reason);
    }

    /** Ends the request with a kind of failure. */
    final boolean fail(Reason kind, String reason) {
        final MessageOrigin to = end();
        return to != null && put(to, FailureMessage.of(type, lane, correlation, kind, reason));
    }

    /** Ends the request without an answer, as no caller waits any more. */
    void drop() {
        final MessageOrigin its = origin;
        final int before = (int) STATE.getAndSet(this, ENDED);
        if (before != ENDED) {
            forget(its);
        }
        if (before == OPEN) {
            reports.unanswered();
        }
    }

    /** Ends the request; returns the session for the answer, or null if the request had ended before. */
    final @Nullable MessageOrigin end() {
        final MessageOrigin its = origin;                       // not null before the successful exchange
        if ((int) STATE.getAndSet(this, ENDED) == ENDED) {
            return null;
        }
        forget(its);
        return its;
    }

    private void forget(@Nullable MessageOrigin its) {
        origin = null;
        if (its != null) {
            its.openRequests().remove(this);
        }
    }

    // ---- answering, by the thread that has ended the request ----

    /** Sends the answer; returns false if the session has ended. */
    final boolean answer(MessageOrigin to, MessageBuffer bytes) {
        return put(to, bytes.message(type, lane, Frame.RESPONSE, correlation));
    }

    /** Reports that the answer cannot be written; the caller receives FAILED. */
    final void unwritable(MessageOrigin to, Throwable thrown) {
        UserCode.run(() -> reports.failed(from, type, thrown));
        UserCode.run(() -> put(to, FailureMessage.of(type, lane, correlation, Reason.FAILED, UserCode.text(thrown))));
    }

    private static boolean put(MessageOrigin to, OutgoingMessage message) {
        final int result = to.hasLateAnswers() ? SendStream.FULL : to.put(message);
        if (result == SendStream.OK) {
            to.signal();
        } else if (result == SendStream.FULL) {
            to.putLater(message, 0);
        }
        return result != SendStream.ENDED;
    }
}
