package io.teff.cluster.net;

import io.teff.cluster.net.NetworkException.Reason;
import io.teff.cluster.net.ring.Outgoing;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.os.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages and requests into the streams to their nodes, and waits for room where there is none.
 * <pre>
 *  put ──→ there is room: into the ring at once, from the bytes that the thread's {@link Scratch} has
 *      └─→ there is none, or they are many: bit by bit, as a {@link Message}, each time that room is told
 *           ├─ its time is over, nothing of it has left:    it was not sent
 *           ├─ its time is over, its front has left:        its rest is kept by the session, or it ends in the middle
 *           └─ the session ends, nothing of it has left:    it goes to the next one
 * </pre>
 * Thread-safe: threads that send meet in the ring only.
 */
final class Sender {
    private final NetworkConfig config;
    private final Clock clock;
    private final Requests requests;
    private final Counts counts;
    private final BooleanSupplier isAgent;
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean isClosed;

    /**
     * Of a network.
     *
     * @param isAgent whether the thread that asks makes room for others, so that it cannot wait for it
     */
    Sender(NetworkConfig config, Clock clock, Requests requests, Counts counts, BooleanSupplier isAgent) {
        this.config = config;
        this.clock = clock;
        this.requests = requests;
        this.counts = counts;
        this.isAgent = isAgent;
    }

    /** Takes nothing any more. */
    void close() {
        isClosed = true;
    }

    /** So many messages were sent that are no requests. */
    long messages() {
        return numbers.get() - counts.messagesNotSent.sum();
    }

    /** Puts a message into the stream to a node, and waits for room if there is none. */
    void put(Connection to, int type, int lane, int flags, @Nullable Request<?> request, Scratch bytes,
             long timeoutNs) {
        final int result = tryPut(to, type, lane, flags, request, bytes, timeoutNs);
        if (result != Outgoing.OK) {
            throw refused(to, result);
        }
    }

    /** The same; OK also where the request has ended already, FULL or ENDED. */
    int tryPut(Connection to, int type, int lane, int flags, @Nullable Request<?> request, Scratch bytes,
               long timeoutNs) {
        if (isClosed) {
            throw new NetworkException(Reason.CLOSED, to.nid, "the network is closed");
        }
        final long correlation = request == null ? numbers.incrementAndGet() : add(request);
        Session session = to.session();
        if (request != null) {
            request.session = session;
        }
        int result = bytes.parts() != null || mustWait(session, lane, bytes.size()) ? Outgoing.FULL
            : session.out.put(type, lane, flags, correlation, bytes.array(), bytes.start(), bytes.size());
        if (result != Outgoing.OK) {
            final Message message = bytes.message(type, lane, flags, correlation);
            try {
                result = putSlowly(to, session, message, request, timeoutNs, bytes.roomWait());
            } catch (Throwable e) {                             // whatever its codec throws, or it is too large
                countNotSent(request);
                throw e;
            }
        }
        if (result == Outgoing.OK) {
            if (request != null && request.isAwaited) {
                to.signalOrFlush();
            } else {
                to.signal();
            }
        } else if (countNotSent(request)) {
            if (result == Outgoing.FULL) {
                counts.refusedFull.increment();
            }
            return result;
        }
        return Outgoing.OK;
    }

    /** Nothing was sent; false if that is a request that has ended already. */
    private boolean countNotSent(@Nullable Request<?> request) {
        final boolean isNotSent = request == null || requests.take(request);
        if (isNotSent) {
            (request == null ? counts.messagesNotSent : counts.requestsNotSent).increment();
        }
        return isNotSent;
    }

    /** Whether a message would overtake one of its lane whose rest waits for room, or could have such a rest, too. */
    private static boolean mustWait(Session session, int lane, int size) {
        return session.hasLateMessages() && !session.out.isEnded()
            && (lane != 0 || Frame.LONG_HEAD_BYTES + size > session.out.lengthMax());
    }

    private long add(Request<?> request) {
        final long correlation = requests.add(request);
        if (correlation < 0) {
            counts.refusedFull.increment();
            throw new NetworkException(Reason.FULL, request.nid, "more than " + Requests.COUNT_MAX
                + " requests are in flight");
        }
        return correlation;
    }

    private int putSlowly(Connection to, Session first, Message message, @Nullable Request<?> request,
                          long timeoutNs, RoomWait wait) {
        boolean isSent = false;
        try {
            final int result = putWaiting(to, first, message, request, timeoutNs, wait);
            isSent = result == Outgoing.OK;
            return result;
        } finally {
            wait.end(clock, counts, config.nid(), to.nid, isSent);
        }
    }

    private int putWaiting(Connection to, Session first, Message message, @Nullable Request<?> request,
                           long timeoutNs, RoomWait wait) {
        final long allowed = isAgent.getAsBoolean() ? 0 : timeoutNs;    // who makes room cannot wait for it
        Session session = first;
        long left = allowed;
        while (true) {
            final boolean mustWait = mustWait(session, message.lane(), message.sizeMin());
            final int result = mustWait ? Outgoing.FULL : session.put(message);
            if (result == Outgoing.FULL && left <= 0 && message.isBegun()) {
                return session.putLater(message) ? Outgoing.OK : Outgoing.FULL;
            }
            if (result == Outgoing.OK || result == Outgoing.FULL && left <= 0
                || result == Outgoing.ENDED && (message.isBegun() || left < allowed || isClosed)) {
                return result;
            }
            if (result == Outgoing.ENDED) {
                session = to.session();
                if (request != null) {
                    request.session = session;
                }
            } else {
                to.signal();
                wait.begin(clock);
                try {
                    left = mustWait || message.isCrowded() ? session.out.awaitChange(left)
                        : session.out.awaitRoom(left, message.frameBytes());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    left = 0;                                   // what has begun comes to its end all the same
                }
            }
        }
    }

    /** Why nothing was put. */
    NetworkException refused(Connection to, int result) {
        if (result == Outgoing.ENDED) {
            final NetworkException why = to.lastEnd;
            return isClosed || why == null ? new NetworkException(Reason.CLOSED, to.nid, "the network is closed")
                : new NetworkException(why.reason(), to.nid, why.what());
        } else if (config.sendTimeoutNs() == 0 || isAgent.getAsBoolean()) {
            return new NetworkException(Reason.FULL, to.nid, "there is no room to send");
        } else if (Thread.currentThread().isInterrupted()) {
            return new NetworkException(Reason.INTERRUPTED, to.nid, "there is no room to send, and no time to wait");
        }
        return new NetworkException(Reason.TIMED_OUT, to.nid, "there was no room to send in time");
    }
}
