package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.rdma.transport.RdmaAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connections beside the paths of a worker. They carry HELLO, then nothing, and the system ends them with the
 * process that has them, also if it is killed.
 *
 * <pre>
 *   agent ────── tasks ─────&gt;  thread, with a transport "tcp:"  &lt;──── sockets ────&gt;  peers
 *     ^                                    │
 *     └───── events, and a signal ─────────┘
 * </pre>
 *
 * <p>They have a thread of their own because the agent sleeps in the descriptor of the worker, and must not pay a
 * system call in each poll for what happens when links begin and end. The connection manager of UCX is not used: with
 * several workers in a process, UCX before 1.18 takes events of one worker's connection for those of another's that has
 * the same descriptor since, and aborts the process; and it aborts if callers or listeners end while they connect.
 *
 * <p>Methods are for the agent unless they say otherwise. {@link #post}, {@link #greeted} and {@link #remove} are for
 * the thread.
 */
final class Connections {
    /** Connections without HELLO: one more ends the oldest. */
    static final int SILENT_MAX = 256;
    /** Longest time for HELLO, also of a peer on a busy machine; there are few such connections at most. */
    static final long GREETING_NS = 10_000_000_000L;

    private static final String TCP = "tcp";
    /** Longest wait of the thread while connections are silent. */
    private static final long LOOK_NS = 100_000_000;
    private static final long REST_NS = 60_000_000_000L;

    private final Transport tcp;
    private final LongSupplier clock;
    private final Runnable signal;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private @Nullable Thread thread;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean isClosed;
    /** The thread has ended: whoever adds a task runs it. */
    private volatile boolean isOver;

    // ---- of the thread ----

    private final Set<Connection> all = new LinkedHashSet<>();
    /** Accepted connections without HELLO, the oldest first, and the ends of their time. */
    private final SequencedMap<Connection, Long> silent = new LinkedHashMap<>();

    /**
     * Makes connections without a thread, which starts with the first one.
     *
     * @param tcp a transport of which nothing is used yet
     * @param clock nanoseconds; any thread
     * @param signal ends the agent's sleep; any thread
     */
    private Connections(Transport tcp, LongSupplier clock, Runnable signal) {
        this.tcp = tcp;
        this.clock = clock;
        this.signal = signal;
    }

    /** Makes connections with the transport {@code tcp:} of the program. */
    static Connections open(LongSupplier clock, Runnable signal) throws AddressException {
        for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            if (provider.scheme().equals(TCP)) {
                return new Connections(provider.open(new TransportOptions(null)), clock, signal);
            }
        }
        throw new AddressException("addresses of the scheme " + UcxTransport.SCHEME + " need the module io.teff.nio");
    }

    // ---- for the agent ----

    /** Listens; returns host and port. */
    InetSocketAddress listen(InetSocketAddress at, Connection.Doorkeeper doorkeeper) throws IOException {
        final CompletableFuture<String> bound = new CompletableFuture<>();
        submit(() -> {
            try {
                bound.complete(tcp.listen(RdmaAddress.text(TCP, at), link -> accept(Connection.accepted(this, link,
                    doorkeeper))));
            } catch (IOException | RuntimeException e) {
                bound.completeExceptionally(e);
            }
        });
        try {
            return RdmaAddress.parse(TCP, List.of(), bound.join()).resolved();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    /** Begins to connect, and to send HELLO. */
    Connection dial(InetSocketAddress to, Connection.Owner owner, byte[] hello) {
        final Connection connection = Connection.dialed(this, RdmaAddress.text(UcxTransport.SCHEME, to), owner, hello);
        submit(() -> {
            all.add(connection);
            try {
                connection.setLink(tcp.connect(RdmaAddress.text(TCP, to), connection));
            } catch (IOException | RuntimeException e) {
                connection.closed(e instanceof IOException why ? why : new IOException(e));
            }
        });
        return connection;
    }

    /** Hands a task to the thread. */
    void submit(Runnable task) {
        tasks.add(task);
        if (thread == null && !isClosed) {
            thread = Thread.ofPlatform().daemon().name("teff-ucx-connections").start(this::run);
        }
        tcp.wakeUp();
        if (isOver) {
            runTasks();
        }
    }

    /** Handles what has happened; returns the units of work done. */
    int poll() {
        int work = 0;
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
            work++;
        }
        return work;
    }

    /** Returns whether {@link #poll} has something to do. */
    boolean hasEvents() {
        return !events.isEmpty();
    }

    /** Ends all connections and listeners, without events. */
    void close() {
        isClosed = true;
        if (thread == null) {
            tcp.close();
        } else {
            tcp.wakeUp();
            ended.join();
            events.clear();
        }
    }

    // ---- of the thread ----

    private void run() {
        RuntimeException failure = null;
        try {
            while (!isClosed) {
                if (runTasks() + tcp.poll() == 0) {
                    tcp.await(silent.isEmpty() ? REST_NS : LOOK_NS);
                }
                endSilent();
            }
        } catch (RuntimeException e) {                          // the selector, say
            failure = e;
        } finally {
            end(failure);
        }
    }

    private void end(@Nullable RuntimeException failure) {
        final IOException why = new IOException("the connections of this worker have failed", failure);
        try (tcp) {
            List.copyOf(all).forEach(it -> it.closed(why));
        } finally {
            isOver = true;
            runTasks();
            ended.complete(null);
        }
    }

    private int runTasks() {
        int work = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            work++;
        }
        return work;
    }

    private Connection accept(Connection connection) {
        all.add(connection);
        silent.put(connection, clock.getAsLong() + GREETING_NS);
        if (silent.size() > SILENT_MAX) {
            silent.firstEntry().getKey().end();
        }
        return connection;
    }

    private void endSilent() {
        while (!silent.isEmpty() && clock.getAsLong() - silent.firstEntry().getValue() > 0) {
            silent.firstEntry().getKey().end();
        }
    }

    /** Notes that HELLO of a connection has arrived. */
    void greeted(Connection connection) {
        silent.remove(connection);
    }

    /** Forgets a connection. */
    void remove(Connection connection) {
        all.remove(connection);
        silent.remove(connection);
    }

    /** Hands an event to the agent. */
    void post(Runnable event) {
        events.add(event);
        signal.run();
    }
}
