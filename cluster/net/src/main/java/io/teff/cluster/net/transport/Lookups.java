package io.teff.cluster.net.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks up host names, in separate threads: a look-up may take long, and the agent has other links to serve. A name is
 * looked up once at a time, however many links wait for the name; at most 32 names are looked up at once, and further
 * names wait. Not thread-safe: used by the agent's thread.
 */
public final class Lookups {
    private static final int THREADS_MAX = 32;
    private static final long IDLE_S = 1;

    /** Finds the addresses of a host. */
    @FunctionalInterface
    public interface Resolver {
        /** Asks the system. */
        Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

        /**
         * Finds the addresses, by a thread that may wait.
         *
         * @param host name of the host
         * @return addresses of the host, one or more, the preferred address first
         * @throws IOException if the name is unknown
         */
        List<InetAddress> find(String host) throws IOException;
    }

    /** Waits for the addresses of a host; called by the agent's thread. */
    public interface Waiter {
        /** {@return whether it does not wait any more} */
        boolean isOver();

        /**
         * Takes the result.
         *
         * @param addresses of the host, one or more; empty if there are none
         * @param why there is no address, else null
         */
        void found(List<InetAddress> addresses, @Nullable IOException why);
    }

    /** The result of a look-up: addresses or a failure. */
    private record Answer(String host, List<InetAddress> addresses, @Nullable IOException why) {}

    private final Resolver resolver;
    private final Runnable wake;
    private final ThreadFactory factory;
    private final Map<String, List<Waiter>> waiting = new HashMap<>();
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    private @Nullable ThreadPoolExecutor threads;
    private boolean isClosed;

    /**
     * Makes look-ups without threads: they start with the first look-up, and end a second after the last.
     *
     * @param resolver finds the addresses
     * @param wake called by any thread when there is an answer for {@link #poll}
     */
    public Lookups(Resolver resolver, Runnable wake) {
        this(resolver, wake, work -> Thread.ofPlatform().daemon().name("teff-lookup").unstarted(work));
    }

    /**
     * Makes look-ups with threads of a given factory.
     *
     * @param resolver finds the addresses
     * @param wake called by any thread when there is an answer for {@link #poll}
     * @param factory makes the threads
     */
    public Lookups(Resolver resolver, Runnable wake, ThreadFactory factory) {
        this.resolver = resolver;
        this.wake = wake;
        this.factory = factory;
    }

    /**
     * Begins to look a host up.
     *
     * @param host name of the host
     * @param waiter receives the result in {@link #poll}, unless the waiter has ended
     * @throws IOException if no thread is available, or this object is closed; then the waiter is not called
     */
    public void add(String host, Waiter waiter) throws IOException {
        if (isClosed) {
            throw new IOException("look-ups are closed, also of " + host + "");
        }
        final List<Waiter> those = waiting.get(host);
        if (those != null) {
            those.removeIf(Waiter::isOver);                    // the dialer tries again
            those.add(waiter);
            return;
        }
        waiting.put(host, new ArrayList<>(List.of(waiter)));
        try {
            threads().execute(() -> {
                answers.add(answer(host));
                wake.run();
            });
        } catch (OutOfMemoryError e) {
            waiting.remove(host);
            throw new IOException("there is no thread to look up " + host, e);
        }
    }

    private ThreadPoolExecutor threads() {
        ThreadPoolExecutor executor = threads;
        if (executor == null) {
            executor = new ThreadPoolExecutor(THREADS_MAX, THREADS_MAX, IDLE_S, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), factory);
            executor.allowCoreThreadTimeOut(true);
            threads = executor;
        }
        return executor;
    }

    private Answer answer(String host) {
        try {
            return new Answer(host, resolver.find(host), null);
        } catch (IOException e) {
            return new Answer(host, List.of(), e);
        } catch (RuntimeException | Error e) {                  // the application may have installed the resolver
            return new Answer(host, List.of(), new IOException("the host " + host + " cannot be looked up", e));
        }
    }

    /**
     * Passes results on to the waiters.
     *
     * @return the number of waiters called
     */
    public int poll() {
        int work = 0;
        for (Answer answer = waiting.isEmpty() ? null : answers.poll(); answer != null; answer = answers.poll()) {
            for (Waiter waiter : Objects.requireNonNull(waiting.remove(answer.host))) {
                if (!waiter.isOver()) {
                    waiter.found(answer.addresses, answer.why);
                    work++;
                }
            }
        }
        return work;
    }

    /** {@return whether there is an answer that was not passed on} */
    public boolean hasAnswers() {
        return !answers.isEmpty();
    }

    /** Ends all look-ups without results. */
    public void close() {
        isClosed = true;
        waiting.clear();
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
