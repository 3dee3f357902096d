package io.teff.cluster.net;

import io.teff.cluster.net.NetworkException.Reason;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for their answers. Who takes one out of the table ends it, so it ends once: the answer, its
 * deadline, the end of its session, or close.
 *
 * <p>A request's correlation is a number that only rises; its slot is the low bits of it. A late answer finds an empty
 * slot or another number. Thread-safe.
 */
final class Requests {
    /** Most requests in flight. */
    static final int COUNT_MAX = 1 << 16;
    /** So many slots are looked at for a number of their own before the table counts as full. */
    private static final int ATTEMPTS = 64;
    /** A part of the table that {@link #expire} looks at. */
    private static final int PART = COUNT_MAX / 16;

    private final AtomicReferenceArray<@Nullable Request<?>> slots = new AtomicReferenceArray<>(COUNT_MAX);
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger count = new AtomicInteger();
    /** Numbers that were given to nobody, as their slots were taken. */
    private final LongAdder skipped = new LongAdder();
    private final Counts counts;
    /** The agent's: where the part that is looked at next begins. */
    private int nextPart;

    Requests(Counts counts) {
        this.counts = counts;
    }

    private static int slot(long correlation) {
        return (int) (correlation & COUNT_MAX - 1);
    }

    /** Takes a request in; its correlation, or -1 if there are too many. */
    long add(Request<?> request) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            final long number = numbers.incrementAndGet();
            request.correlation = number;
            if (slots.compareAndSet(slot(number), null, request)) {
                count.incrementAndGet();
                return number;
            }
            skipped.increment();
        }
        return -1;
    }

    /** Takes a request out, to end it without an answer; false if it has ended. */
    boolean take(Request<?> request) {
        return remove(request);
    }

    /** Takes a request out that was sent in a session, to answer it; null if it has ended, or was never sent there. */
    @Nullable Request<?> take(long correlation, Session session) {
        final Request<?> request = peek(correlation, session);
        return request != null && remove(request) ? request : null;
    }

    /** Looks at a request that was sent in a session; null if it has ended, or was never sent there. */
    @Nullable Request<?> peek(long correlation, Session session) {
        final Request<?> request = slots.get(slot(correlation));
        return request != null && request.correlation == correlation && request.session == session ? request : null;
    }

    private boolean remove(Request<?> request) {
        final boolean isRemoved = slots.compareAndSet(slot(request.correlation), request, null);
        if (isRemoved) {
            count.decrementAndGet();
        }
        return isRemoved;
    }

    /** How many were ever taken in. */
    long added() {
        return numbers.get() - skipped.sum();
    }

    /** How many wait. */
    int count() {
        return count.get();
    }

    /** Ends requests whose time is over, in a part of the table; all are seen in 16 calls. */
    void expire(long nowNs) {
        if (count.get() > 0) {
            for (int slot = nextPart; slot < nextPart + PART; slot++) {
                final Request<?> request = slots.get(slot);
                if (request != null && request.deadlineNs - nowNs < 0 && remove(request)) {
                    counts.requestsTimedOut.add(1);
                    request.fail(Reason.TIMED_OUT, "no answer came in time");
                }
            }
            nextPart = (nextPart + PART) % COUNT_MAX;
        }
    }

    /** Ends all requests of a session, or of all. */
    void fail(@Nullable Session session, Reason reason, String what) {
        for (int slot = 0; slot < COUNT_MAX && count.get() > 0; slot++) {
            final Request<?> request = slots.get(slot);
            if (request != null && (session == null || request.session == session) && remove(request)) {
                counts.requestsFailed.add(1);
                request.fail(reason, what);
            }
        }
    }
}
