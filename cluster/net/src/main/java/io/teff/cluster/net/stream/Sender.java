package io.teff.cluster.net.stream;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.os.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages and requests into the streams to their nodes; waits if there is no room.
 * <pre>
 *  put ──→ there is room: into the ring at once, from the bytes in the thread's {@link MessageBuffer}
 *      └─→ there is none, or the message is long: frame by frame, as an {@link OutgoingMessage}, whenever there is room
 *           ├─ timeout, no fragment has left:        the message was not sent
 *           ├─ timeout, a fragment has left:         the session keeps the rest, or the message is cut off
 *           └─ the session ends, nothing has left:   the message goes to the next session
 * </pre>
 * Thread-safe: sending threads meet in the ring only.
 */
public final class Sender {
    private final NetworkConfig config;
    private final Clock clock;
    private final PendingRequests requests;
    private final AgentCounters counts;
    private final BooleanSupplier isAgent;
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean isClosed;

    /**
     * Makes the sender of a network.
     *
     * @param isAgent whether the calling thread makes room for senders, and so cannot wait for room
     */
    public Sender(NetworkConfig config, Clock clock, PendingRequests requests, AgentCounters counts,
                  BooleanSupplier isAgent) {
        this.config = config;
        this.clock = clock;
        this.requests = requests;
        this.counts = counts;
        this.isAgent = isAgent;
    }

    /** Rejects all messages from now on. */
    public void close() {
        isClosed = true;
    }

    /** {@return the number of messages sent, without requests} */
    public long messages() {
        return numbers.get() - counts.messagesNotSent.sum();
    }

    /** Puts a message into the stream to a node; waits if there is no room. */
    public void put(RemoteNode to, int type, int lane, int flags, @Nullable Request<?> request, MessageBuffer bytes,
             long timeoutNs) {
        final int result = tryPut(to, type, lane, flags, request, bytes, timeoutNs);
        if (result != SendStream.OK) {
            throw refused(to, result);
        }
    }

    /** Acts as {@link #put}, and returns OK, also if the request has ended already, or FULL or ENDED. */
    public int tryPut(RemoteNode to, int type, int lane, int flags, @Nullable Request<?> request, MessageBuffer bytes,
               long timeoutNs) {
        if (isClosed) {
            throw new NetworkException(Reason.CLOSED, to.nid(), "the network is closed");
        }
        final long correlation = request == null ? numbers.incrementAndGet() : add(request);
        Session session = to.session();
        if (request != null) {
            request.session = session;
        }
        int result;
        try {
            result = bytes.parts() != null || mustWait(session, lane, bytes.size()) ? SendStream.FULL
                : bytes.put(session.out, type, lane, flags, correlation);
            if (result == SendStream.OK) {
                put(request);
            } else {
                final OutgoingMessage message = bytes.message(type, lane, flags, correlation);
                result = putSlowly(to, session, message, request, timeoutNs, bytes.roomWait());
            }
        } catch (Throwable e) {                                 // of the codec, or of unreadable memory
            countNotSent(request);
            throw e;
        }
        if (result == SendStream.OK) {
            if (request != null && request.isAwaited) {
                to.signalOrFlush();
            } else {
                to.signal();
            }
        } else if (countNotSent(request)) {
            if (result == SendStream.FULL) {
                counts.refusedFull.increment();
            }
            return result;
        }
        return SendStream.OK;
    }

    /** Lets the session keep the rest of a message. */
    private static boolean putRest(Session session, OutgoingMessage message, @Nullable Request<?> request) {
        final boolean isKept = session.putLater(message);
        if (isKept && request != null) {
            request.putLater();
        }
        return isKept;
    }

    private static void put(@Nullable Request<?> request) {
        if (request != null) {
            request.put();
        }
    }

    /** Counts a message that was not sent; returns false for an already ended request. */
    private boolean countNotSent(@Nullable Request<?> request) {
        final boolean isNotSent = request == null || requests.take(request);
        if (isNotSent) {
            (request == null ? counts.messagesNotSent : counts.requestsNotSent).increment();
        }
        return isNotSent;
    }

    /**
     * Returns whether a message must wait because the rest of an earlier message waits for room: the message would
     * overtake its lane, or could itself leave a rest.
     */
    private static boolean mustWait(Session session, int lane, int size) {
        return session.hasLateMessages() && !session.out.isEnded()
            && (lane != 0 || Frame.LONG_HEAD_BYTES + size > session.out.lengthMax());
    }

    private long add(Request<?> request) {
        final long correlation = requests.add(request);
        if (correlation < 0) {
            counts.refusedFull.increment();
            throw new NetworkException(Reason.FULL, request.nid, "more than " + PendingRequests.COUNT_MAX
                + " requests are in flight");
        }
        return correlation;
    }

    private int putSlowly(RemoteNode to, Session first, OutgoingMessage message, @Nullable Request<?> request,
                          long timeoutNs, SendWait wait) {
        boolean isSent = false;
        try {
            final int result = putWaiting(to, first, message, request, timeoutNs, wait);
            isSent = result == SendStream.OK;
            return result;
        } finally {
            wait.end(clock, counts, config.nid(), to.nid(), isSent);
        }
    }

    private int putWaiting(RemoteNode to, Session first, OutgoingMessage message, @Nullable Request<?> request,
                           long timeoutNs, SendWait wait) {
        // the agent makes room, so the agent cannot wait
        final boolean mayWait = timeoutNs > 0 && !isAgent.getAsBoolean();
        final long end = mayWait ? clock.nowNs() + timeoutNs : 0;
        Session session = first;
        long left = mayWait ? timeoutNs : 0;
        boolean hasWaited = false;
        while (true) {
            if (request != null && request.isGivenUp() && !message.isBegun()) {
                return SendStream.FULL;                         // there is no caller any more
            }
            final boolean mustWait = mustWait(session, message.lane(), message.sizeMin());
            final int result = mustWait ? SendStream.FULL : session.put(message);
            // not by the waits alone: other threads may take all room
            if (left > 0 && result != SendStream.OK) {
                left = Math.min(left, end - clock.nowNs());
            }
            if (result == SendStream.FULL && left <= 0 && message.isBegun()) {
                return putRest(session, message, request) ? SendStream.OK : SendStream.FULL;
            }
            if (result == SendStream.OK) {
                put(request);
            }
            if (result == SendStream.OK || result == SendStream.FULL && left <= 0
                || result == SendStream.ENDED && (message.isBegun() || hasWaited || isClosed)) {
                return result;
            }
            if (result == SendStream.ENDED) {
                session = to.session();
                if (request != null) {
                    request.session = session;
                }
            } else {
                to.signal();
                wait.begin(clock);
                try {
                    hasWaited = true;
                    if (mustWait || message.isCrowded()) {
                        left = session.out.awaitChange(left);
                    } else {
                        left = session.out.awaitRoom(left, message.frameBytes());
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    left = 0;                                   // a begun message is completed nevertheless
                }
            }
        }
    }

    /** {@return why nothing was put} */
    public NetworkException refused(RemoteNode to, int result) {
        if (result == SendStream.ENDED) {
            final NetworkException why = to.lastEnd();
            return isClosed || why == null ? new NetworkException(Reason.CLOSED, to.nid(), "the network is closed")
                : new NetworkException(why.reason(), to.nid(), why.what());
        } else if (config.sendTimeoutNs() == 0 || isAgent.getAsBoolean()) {
            return new NetworkException(Reason.FULL, to.nid(), "there is no room to send");
        } else if (Thread.currentThread().isInterrupted()) {
            return new NetworkException(Reason.INTERRUPTED, to.nid(), "there is no room to send, and no time to wait");
        }
        return new NetworkException(Reason.TIMED_OUT, to.nid(), "there was no room to send in time");
    }
}
