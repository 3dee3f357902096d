package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.NetworkException.Reason;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests waiting for their answers. The thread that removes a request from the table ends the request, so a request
 * ends once: by the answer, the deadline, the end of the session, an interrupt of the caller, or close.
 *
 * <p>A request's correlation is a rising number; the low bits of the number are the request's slot. A late answer finds
 * an empty slot or another number. The table is made in parts, each part when a number falls into the part.
 * Thread-safe.
 */
public final class PendingRequests {
    /** Limit of requests in flight. */
    static final int COUNT_MAX = 1 << 16;
    /** After this many occupied slots in a row the search continues at a distance of {@link #STRIDE}. */
    private static final int ATTEMPTS = 64;
    /**
     * Distance of a jump of the search: odd, so that all slots are reached, and about the golden section of the table.
     */
    private static final int STRIDE = 40_503;
    private static final int PART_SLOTS = 1 << 8;
    /** Calls of {@link #expire} needed to visit the whole table. */
    private static final int STEPS = 4;
    /**
     * An agent that has not checked deadlines for this time stands still; all other agents check every 50 ms at least.
     */
    private static final long STILL_NS = 500_000_000;
    private static final long NEVER = Long.MIN_VALUE;

    /** A part of the table: successive slots. */
    private static final class Part extends AtomicReferenceArray<@Nullable Request<?>> {
        private static final long serialVersionUID = 1;

        Part(int slotCount) {
            super(slotCount);
        }
    }

    private final AtomicReferenceArray<@Nullable Part> parts;
    private final int partSlots;
    private final int attempts;
    private final int slotCount;
    private final AtomicLong numbers = new AtomicLong();
    /** Requests in the table, and requests searching for a slot. */
    private final AtomicInteger count = new AtomicInteger();
    /** Numbers without a request, because their slots were occupied or skipped. */
    private final LongAdder skipped = new LongAdder();
    private final AgentCounters counts;
    /** The part to visit next, by the first agent. */
    private int nextPart;
    /** Threads that end requests in place of the agent. */
    private final Set<Thread> expiring = ConcurrentHashMap.newKeySet();
    /** When the first agent has looked for deadlines; or {@link #NEVER}. */
    private volatile long lookedNs = NEVER;

    public PendingRequests(AgentCounters counts) {
        this(counts, COUNT_MAX);
    }

    /**
     * Makes a table.
     *
     * @param counts of the first agent
     * @param slotCount a power of two
     */
    public PendingRequests(AgentCounters counts, int slotCount) {
        this.counts = counts;
        this.partSlots = Math.min(slotCount, PART_SLOTS);
        this.parts = new AtomicReferenceArray<>(slotCount / partSlots);
        this.attempts = Math.min(slotCount, ATTEMPTS);
        this.slotCount = slotCount;
    }

    private int part(long correlation) {
        return (int) (correlation / partSlots & parts.length() - 1);
    }

    private int slot(long correlation) {
        return (int) (correlation & partSlots - 1);
    }

    private Part makePart(int number) {
        final Part part = parts.get(number);
        if (part != null) {
            return part;
        }
        final Part made = new Part(partSlots);
        final Part other = parts.compareAndExchange(number, null, made);
        return other == null ? made : other;
    }

    /**
     * Adds a request; returns the correlation of the request, or -1 if there are too many requests. Long waits may
     * occupy many slots in a row, but below the limit at least one slot is free.
     */
    long add(Request<?> request) {
        count.incrementAndGet();                                // first: expire does nothing while this is 0
        long passed = 0;
        for (int attempt = 0; attempt < attempts || count.get() <= slotCount; attempt++) {
            final int step = attempt < attempts ? 1 : STRIDE;
            final long number = numbers.addAndGet(step);
            request.addedTo(this, number);
            if (makePart(part(number)).compareAndSet(slot(number), null, request)) {
                if (attempt > 0) {
                    skipped.add(passed + step - 1);
                }
                return number;
            }
            passed += step;
        }
        skipped.add(passed);
        count.decrementAndGet();
        return -1;
    }

    /** Removes a request, to end the request without an answer; returns false if the request has ended. */
    boolean take(Request<?> request) {
        return remove(request);
    }

    /**
     * Removes a request sent in a session, to answer the request; returns null if the request has ended, or was never
     * sent in the session.
     */
    @Nullable Request<?> take(long correlation, Session session) {
        final Request<?> request = peek(correlation, session);
        return request != null && remove(request) ? request : null;
    }

    /** {@return whether a request that was sent in a session waits for its answer} */
    public boolean isWaiting(long correlation, Session session) {
        return peek(correlation, session) != null;
    }

    /** Returns a request sent in a session; null if the request has ended, or was never sent in the session. */
    @Nullable Request<?> peek(long correlation, Session session) {
        final Part part = parts.get(part(correlation));
        final Request<?> request = part == null ? null : part.get(slot(correlation));
        return request != null && request.correlation == correlation && request.session == session ? request : null;
    }

    private boolean remove(Request<?> request) {
        final Part part = parts.get(part(request.correlation));
        final boolean isRemoved = part != null && part.compareAndSet(slot(request.correlation), request, null);
        if (isRemoved) {
            count.decrementAndGet();
        }
        return isRemoved;
    }

    /** {@return the number of requests ever added} */
    public long added() {
        return numbers.get() - skipped.sum();
    }

    /** {@return the number of waiting requests} */
    public int count() {
        return count.get();
    }

    /** {@return the sessions of all requests that wait} */
    public Set<Session> sessions() {
        final Set<Session> sessions = new HashSet<>();
        for (int i = 0; i < parts.length() && count.get() > 0; i++) {
            forEach(parts.get(i), request -> {
                final Session session = request.session;
                if (session != null) {
                    sessions.add(session);
                }
            });
        }
        return sessions;
    }

    private static void forEach(@Nullable Part part, Consumer<Request<?>> action) {
        for (int slot = 0; part != null && slot < part.length(); slot++) {
            final Request<?> request = part.get(slot);
            if (request != null) {
                action.accept(request);
            }
        }
    }

    /** Ends requests whose deadline has passed, in a quarter of the table. By the first agent. */
    public void expire(long nowNs) {
        lookedNs = nowNs;
        for (int i = 0; i < Math.max(parts.length() / STEPS, 1) && count.get() > 0; i++) {
            forEach(parts.get(nextPart), request -> {
                if (request.deadlineNs - nowNs < 0) {
                    expire(request);
                }
            });
            nextPart = (nextPart + 1) % parts.length();
        }
    }

    /**
     * Returns whether the first agent stands still. Usually application code waits on the agent's thread: then only
     * another thread can end the requests awaited by the code.
     *
     * @param nowNs time of the agent's clock
     * @return whether the agent has begun, and has not checked deadlines for long
     */
    public boolean isStill(long nowNs) {
        final long looked = lookedNs;
        return looked != NEVER && nowNs - looked > STILL_NS;
    }

    /**
     * Ends all requests whose deadline has passed. Any thread, while the agent {@linkplain #isStill stands still}. Does
     * nothing if called by an action chained to an expiring request. The action may send a further request: the stack
     * would grow.
     */
    public void expireAll(long nowNs) {
        if (!expiring.add(Thread.currentThread())) {
            return;
        }
        try {
            for (int i = 0; i < parts.length() && count.get() > 0; i++) {
                forEach(parts.get(i), request -> {
                    if (request.deadlineNs - nowNs < 0) {
                        expire(request);
                    }
                });
            }
        } finally {
            expiring.remove(Thread.currentThread());
        }
    }

    /** Ends a request whose deadline has passed, unless another thread ends the request. Any thread. */
    public void expire(Request<?> request) {
        if (remove(request)) {
            counts.requestsTimedOut.increment();
            request.unwanted();
            request.fail(Reason.TIMED_OUT, late(request));
        }
    }

    private String late(Request<?> request) {
        final Session session = request.session;
        if (isStill(request.deadlineNs)) {
            return "no answer arrived in time: the agent's thread, which brings answers, stands still; a callback, "
                + "listener or short handler that waits there (a future of allOf or anyOf, a latch, a lock) must not";
        }
        return session == null || session.isEstablished() ? "no answer arrived in time"
            : "no link arrived in time: " + session.peer().dialFailure();
    }

    /** Ends a request for another reason, unless another thread ends the request. Any thread. */
    public void end(Request<?> request, Reason reason, String what) {
        if (remove(request)) {
            counts.requestsFailed.increment();
            request.unwanted();
            request.fail(reason, what);
        }
    }

    /** Removes a request whose future was ended by the application. Any thread. */
    void giveUp(Request<?> request) {
        if (remove(request)) {
            counts.requestsFailed.increment();
            request.unwanted();
        }
    }

    /** Ends all requests of a session, or, for null, all requests. */
    public void fail(@Nullable Session session, Reason reason, String what) {
        for (int i = 0; i < parts.length() && count.get() > 0; i++) {
            forEach(parts.get(i), request -> {
                if (session == null || request.session == session) {
                    end(request, reason, what);
                }
            });
        }
    }

    /**
     * Counts the requests in the table, and checks that each request is in the slot of its number; while no thread adds
     * or ends any.
     */
    public void audit() {
        int found = 0;
        for (int number = 0; number < parts.length(); number++) {
            final Part part = parts.get(number);
            for (int slot = 0; part != null && slot < part.length(); slot++) {
                final Request<?> request = part.get(slot);
                if (request != null && (part(request.correlation) != number || slot(request.correlation) != slot)) {
                    throw new IllegalStateException("requests: " + request.correlation + " in slot " + slot
                        + " of part "
                        + number);
                }
                found += request == null ? 0 : 1;
            }
        }
        if (found != count.get() || found > slotCount) {
            throw new IllegalStateException("requests: " + count.get() + " of " + slotCount + ", found " + found);
        }
    }
}
