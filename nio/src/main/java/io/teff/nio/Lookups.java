package io.teff.nio;

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
 * Looks up hosts that are named, in threads of its own: nobody knows how long that takes, and the agent has others to
 * serve. A name is looked up once at a time, however many links wait for it. Used by the agent's thread, but for what
 * the threads do.
 */
final class Lookups {
    private static final int THREADS_MAX = 32;
    private static final long IDLE_S = 1;

    /** Finds the address of a host. */
    @FunctionalInterface
    interface Resolver {
        /**
         * Does so, by a thread that may wait.
         *
         * @param host its name
         * @return its address
         * @throws IOException if nobody knows it
         */
        InetAddress find(String host) throws IOException;
    }

    /** What was found; one of both is null. */
    private record Answer(String host, @Nullable InetAddress address, @Nullable IOException why) {}

    private final Resolver resolver;
    private final Runnable wake;
    private final ThreadFactory factory;
    private final Map<String, List<TcpLink>> waiting = new HashMap<>();
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    private @Nullable ThreadPoolExecutor threads;

    /** Wakes the agent when there is an answer. */
    Lookups(Resolver resolver, Runnable wake) {
        this(resolver, wake, work -> Thread.ofPlatform().daemon().name("teff-lookup").unstarted(work));
    }

    Lookups(Resolver resolver, Runnable wake, ThreadFactory factory) {
        this.resolver = resolver;
        this.wake = wake;
        this.factory = factory;
    }

    /** A link waits for the address of a host; none does where there is no thread to look it up. */
    void add(String host, TcpLink link) throws IOException {
        final List<TcpLink> those = waiting.get(host);
        if (those != null) {
            those.removeIf(TcpLink::isOver);                    // who dials again and again
            those.add(link);
            return;
        }
        waiting.put(host, new ArrayList<>(List.of(link)));
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
        ThreadPoolExecutor its = threads;
        if (its == null) {
            its = new ThreadPoolExecutor(THREADS_MAX, THREADS_MAX, IDLE_S, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), factory);
            its.allowCoreThreadTimeOut(true);
            threads = its;
        }
        return its;
    }

    private Answer answer(String host) {
        try {
            return new Answer(host, resolver.find(host), null);
        } catch (IOException e) {
            return new Answer(host, null, e);
        } catch (RuntimeException | Error e) {                  // of a resolver that the application has installed
            return new Answer(host, null, new IOException("the host " + host + " cannot be looked up", e));
        }
    }

    /** Tells links what was found; how many. */
    int poll() {
        int work = 0;
        for (Answer it = waiting.isEmpty() ? null : answers.poll(); it != null; it = answers.poll()) {
            for (TcpLink link : Objects.requireNonNull(waiting.remove(it.host))) {
                link.found(it.address, it.why);
                work++;
            }
        }
        return work;
    }

    /** Whether there is an answer that nobody was told. */
    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    void close() {
        if (threads != null) {
            threads.shutdownNow();
        }
    }
}
