package io.teff.cluster.net.thread;

import io.teff.cluster.net.message.HandledBy;
import io.teff.engine.os.Clock;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The handlers' threads of a network: threads shared by most types, and the pools of types with separate threads. A
 * pool is made with the first handler of the pool, and begins with the network. Thread-safe.
 */
public final class HandlerPools implements AnswerWait, AutoCloseable {
    private final String name;
    private final long spinNs;
    private final Clock clock;
    private final Executor executor;
    /** All pools, the shared pool first. */
    private final List<HandlerThreads> all = new CopyOnWriteArrayList<>();
    /** Guarded by the monitor of this, as are the states. */
    private final Map<HandledBy, HandlerThreads> byPlace = new IdentityHashMap<>();
    private boolean isStarted;
    private boolean isFinished;

    /**
     * Makes pools without starting them.
     *
     * @param name in front of the names of all threads
     * @param given runs the handlers of most types; null for threads of this network
     * @param sharedCount number of these threads
     */
    public HandlerPools(String name, @Nullable Executor given, int sharedCount, long spinNs, Clock clock) {
        this.name = name;
        this.spinNs = spinNs;
        this.clock = clock;
        if (given == null) {
            final HandlerThreads threads = new HandlerThreads(name + "-handler", sharedCount, spinNs, clock);
            this.executor = threads;
            all.add(threads);
        } else {
            this.executor = given;
        }
    }

    /** {@return what runs the handlers of most types} */
    public Executor shared() {
        return executor;
    }

    /** {@return what runs the handlers of a type; null for the agent} */
    public @Nullable Executor of(HandledBy by) {
        if (by == HandledBy.AGENT) {
            return null;
        } else if (by == HandledBy.HANDLERS) {
            return executor;
        }
        final Executor given = by.executor();
        return given != null ? given : pool(by);
    }

    private synchronized Executor pool(HandledBy by) {
        final HandlerThreads known = byPlace.get(by);
        if (known != null) {
            return known;
        }
        final HandlerThreads made = new HandlerThreads(name + "-" + by.name(), by.threads(), spinNs, clock);
        if (isStarted && !isFinished) {
            made.start();
        }
        byPlace.put(by, made);
        all.add(made);
        return made;
    }

    /** Starts the threads of all pools, and from now on the threads of each further pool. */
    public synchronized void start() {
        isStarted = true;
        all.forEach(HandlerThreads::start);
    }

    /**
     * Runs a waiting task in the calling thread: for a simulator without threads.
     *
     * @return false if no task waits
     */
    public boolean runNext() {
        for (HandlerThreads threads : all) {
            if (threads.runNext()) {
                return true;
            }
        }
        return false;
    }

    // ---- handlers that wait ----

    @Override
    public boolean begin() {
        for (HandlerThreads threads : all) {
            if (threads.begin()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void end() {
        final Thread thread = Thread.currentThread();
        for (HandlerThreads threads : all) {
            if (threads.isOne(thread)) {
                threads.end();
                return;
            }
        }
    }

    // ---- the end ----

    /** Runs the waiting tasks, then ends the threads. */
    public synchronized void finish() {
        isFinished = true;
        all.forEach(HandlerThreads::finish);
    }

    /**
     * Ends and joins the threads. A call from a pool's thread does not wait, because all pools' threads may call at the
     * same time.
     */
    @Override
    public void close() {
        finish();
        final Thread thread = Thread.currentThread();
        if (all.stream().noneMatch(it -> it.isOne(thread))) {
            all.forEach(HandlerThreads::close);
        }
    }
}
