package io.teff.cluster.client;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.cell.Denials;
import io.teff.cluster.operation.OperationType;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.KeptInterrupt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call of an application: its deadline, its pauses, and the knowledge about its outcome. An interrupt does not end
 * the call and is pending again afterwards. An operation of several requests has one call with several parts. For one
 * thread.
 */
final class Call implements AutoCloseable {
    private static final long PAUSE_NS_MIN = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int SHIFT_MAX = 7;
    /** A thread waiting for a lock asks at least about every 16 ms. */
    private static final int LOCK_SHIFT_MAX = 5;
    /** With less time left, an operation is not repeated, because the repetition would make a known outcome unknown. */
    private static final long REPEAT_NS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int REPEAT_SHARE = 8;

    private final ClusterClient client;
    private final Clock clock;
    private final Object what;
    private final long number;
    private final Deadline limit;
    private final long startNs;
    /** The longest wait for a lock that still leaves time for the last attempt. */
    private final long locksNsMax;
    private final KeptInterrupt interrupt = KeptInterrupt.begin();
    private long locksNs;
    private long attemptNs;
    private long lockedCid;
    private int lockPauses;
    private boolean mayBeDone;
    private int pauses;
    private String failure = "";
    private @Nullable Throwable cause;
    /** The attempt after the failure, if that attempt has no answer. */
    private String unanswered = "";

    /** Begins calls of operations on one chunk, or on several chunks. */
    @FunctionalInterface
    interface Source {
        Call call(OperationType type, long number);
    }

    /** Begins a call of an operation; {@code number} is the CID of the chunk, or the number of chunks. */
    Call(ClusterClient client, Clock clock, Object what, long number, Deadline limit) {
        this.client = client;
        this.clock = clock;
        this.what = what;
        this.number = number;
        this.limit = limit;
        startNs = clock.nowNs();
        attemptNs = startNs;
        locksNsMax = Math.max(limit.leftNs() - reserveNs(), 0);
        locksNs = Math.min(client.lockTimeoutNs(), locksNsMax);
    }

    /** Begins a part of this call, with the deadline of this call. */
    Call part(OperationType type, long cid) {
        return new Call(client, clock, type, cid, limit);
    }

    /** Notes the chunk of the lock presented by a group of changes. */
    Call locked(long cid) {
        lockedCid = cid;
        return this;
    }

    long lockedCid() {
        return lockedCid;
    }

    /** Returns the time before the deadline during which no attempt begins. */
    private long reserveNs() {
        return Math.min(limit.budgetNs() / REPEAT_SHARE, REPEAT_NS_MIN);
    }

    /** Sets how long this call waits for locks of other threads, at most until the deadline. */
    Call waitForLocks(long ns) {
        locksNs = Math.min(Math.max(ns, 0), locksNsMax);
        return this;
    }

    /** Returns the start of the attempt that met no lock of another thread, or an earlier time. */
    long attemptNs() {
        return attemptNs;
    }

    /** Returns the time to the deadline; at least 1. */
    long leftNs() {
        return Math.max(limit.leftNs(), 1);
    }

    boolean isOver() {
        return limit.isOver();
    }

    /** Returns whether the answer of an attempt begun now would probably come too late. */
    boolean isTooLate() {
        return limit.leftNs() < reserveNs() || limit.isOver();
    }

    /**
     * Notes why an attempt has not done the operation.
     *
     * @throws RuntimeException if a node has refused the attempt, because this client lacks the right
     */
    void failed(String reason, @Nullable Throwable thrown) {
        failure = reason;
        unanswered = "";
        cause = thrown;
        final MissingRightException denied = Denials.in(thrown);
        if (denied != null) {
            throw mayBeDone ? unknown() : denied;
        }
    }

    /**
     * Notes that the time of an attempt has ended before an answer. The failure of an earlier attempt stays: a refused
     * link is dialed again and again, and the last dial is always under way.
     */
    void unanswered(String reason) {
        unanswered = reason;
    }

    /** Returns why the operation is not done. */
    private String why() {
        if (unanswered.isEmpty()) {
            return failure.isEmpty() ? "no owner is known" : failure;
        }
        return unanswered + (failure.isEmpty() ? "" : "; an earlier attempt: " + failure);
    }

    /** Returns whether an attempt has left no answer. */
    boolean mayBeDone() {
        return mayBeDone;
    }

    /** Notes an attempt without an answer. */
    void isUnknown() {
        mayBeDone = true;
    }

    /** Notes that the outcome of all attempts is known. */
    void settled() {
        mayBeDone = false;
    }

    /** Returns the holder of pending interrupts. */
    KeptInterrupt interrupt() {
        return interrupt;
    }

    /**
     * Waits before the next attempt, longer each time, until the tables change.
     *
     * @throws RuntimeException if the deadline has passed, the store is closed, or the superpeers refuse this client
     */
    void pause() {
        client.checkOpen();
        final String refusal = client.tables().refusal();
        if (refusal != null) {
            throw refused(refusal);
        }
        if (isTooLate()) {
            throw timedOut();
        }
        final long ns = Math.min(PAUSE_NS_MIN << Math.min(pauses++, SHIFT_MAX), PAUSE_NS_MAX);
        try {
            client.tables().await(Math.min(client.jitter(ns), leftNs()));
        } catch (InterruptedException _) {
            interrupt.keepThrown();
        }
        client.checkOpen();
        if (isTooLate()) {
            throw timedOut();
        }
    }

    /** Returns whether the next attempt is the last attempt that a lock may refuse. */
    boolean isLastForLocks() {
        return locksNs - (clock.nowNs() - startNs) <= 0;
    }

    /** Waits after an attempt refused by a lock; must not be called after the last attempt. */
    void pauseLocked() {
        final long left = locksNs - (clock.nowNs() - startNs);
        final long ns = Math.min(client.jitter(PAUSE_NS_MIN << Math.min(lockPauses++, LOCK_SHIFT_MAX)), left);
        interrupt.park(clock, this, ns);
        client.checkOpen();
        attemptNs = clock.nowNs();
    }

    /** Starts the pauses from the shortest again, after some progress. */
    void progressed() {
        pauses = 0;
    }

    private String text() {
        return !(what instanceof OperationType type) ? what.toString()
            : type.isBatch() ? type + " of " + number + (type.isOfMaps() ? " entries" : " chunks")
            : type + " of chunk " + Cid.toString(number);
    }

    /** Returns the exception for a call whose deadline has passed. */
    RuntimeException timedOut() {
        final String text = text() + ": not done within " + limit + ": " + why();
        return mayBeDone ? new UnknownOutcomeException(text + "; an attempt may have been done", cause)
            : new StoreException(Category.RETRY, text, cause);
    }

    /** Returns the exception of a client that a majority of the superpeers refuses. */
    private RuntimeException refused(String refusal) {
        final String reason = text() + ": the superpeers refuse this client: " + refusal;
        return mayBeDone ? new UnknownOutcomeException(reason + "; an attempt may have been done", cause)
            : new StoreException(Category.DEGRADED, reason, cause);
    }

    /** Returns the exception for a change with an unknown outcome after the end of its session. */
    UnknownOutcomeException sessionLost() {
        return new UnknownOutcomeException(text() + ": it is not known whether it was done: the session of this client"
            + " has ended before an answer came, as no superpeer had heard of it for too long; the next change has a"
            + " new session", cause);
    }

    /** Returns the exception for a change during which the owner failed. */
    UnknownOutcomeException unknown() {
        return new UnknownOutcomeException(text() + ": it is not known whether it was done: " + why(), cause);
    }

    /** Returns the exception for a closed store. */
    static StoreClosedException closed() {
        return new StoreClosedException(ClusterClient.NAME);
    }

    @Override
    public void close() {
        interrupt.close();
    }
}
