package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.engine.os.Platform;
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
import org.jspecify.annotations.Nullable;

/**
 * The TCP connections beside the paths of a worker. A connection carries HELLO, then nothing. The system ends all
 * connections of a process with the process, also if the process is killed.
 *
 * <pre>
 *   agent ────── tasks ─────&gt;  thread, with a transport "tcp:"  &lt;──── sockets ────&gt;  peers
 *     ^                                    │
 *     └───── events, and a signal ─────────┘
 * </pre>
 *
 * <p>The connections have a thread, because the agent sleeps in the descriptor of the worker. The agent must not pay a
 * system call in each poll for events at the begin and the end of links.
 *
 * <p>The connection manager of UCX is not used, because UCX before 1.18 may abort the process in two cases. In a
 * process with several workers, UCX may hand the event of a closed connection to a new connection with the same
 * descriptor. And a caller or listener may end while the caller connects.
 *
 * <p>All methods are for the agent, with three exceptions: the thread calls {@link #post}, {@link #greeted} and {@link
 * #remove}.
 */
final class ControlConnections {
    /** Connections without HELLO: a further connection ends the oldest connection. */
    static final int SILENT_MAX = 256;
    /** Longest time for HELLO in nanoseconds, long enough for a peer on a busy machine. */
    static final long GREETING_NS = 10_000_000_000L;

    private static final String TCP = "tcp";
    private static final String THREAD = "teff-ucx-connections";
    /** Longest wait of the thread while connections are silent. */
    private static final long LOOK_NS = 100_000_000;
    private static final long REST_NS = 60_000_000_000L;

    private final Transport tcp;
    private final Platform platform;
    private final Runnable signal;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private boolean isStarted;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean isClosed;
    /** The thread has ended: the agent runs the tasks. */
    private volatile boolean isOver;

    // ---- of the thread ----

    private final Set<ControlConnection> all = new LinkedHashSet<>();
    /** Accepted connections without HELLO, the oldest first, with the end of the time for HELLO. */
    private final SequencedMap<ControlConnection, Long> silent = new LinkedHashMap<>();

    /**
     * Makes connections. The thread starts with the first connection.
     *
     * @param tcp an unused transport
     * @param platform clock and threads
     * @param signal ends the sleep of the agent; called by any thread
     */
    private ControlConnections(Transport tcp, Platform platform, Runnable signal) {
        this.tcp = tcp;
        this.platform = platform;
        this.signal = signal;
    }

    /** Makes connections with the transport {@code tcp:} of the program. */
    static ControlConnections open(Platform platform, Runnable signal) throws AddressException {
        for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
            if (provider.scheme().equals(TCP)) {
                return new ControlConnections(provider.open(new TransportOptions(null)), platform, signal);
            }
        }
        throw new AddressException("addresses of the scheme " + UcxTransport.SCHEME + " need the module io.teff.nio");
    }

    // ---- for the agent ----

    /** Listens; returns host and port. */
    InetSocketAddress listen(InetSocketAddress at, ControlConnection.Doorkeeper doorkeeper) throws IOException {
        final CompletableFuture<String> bound = new CompletableFuture<>();
        submit(() -> {
            try {
                bound.complete(tcp.listen(RdmaAddress.text(TCP, at),
                    link -> accept(ControlConnection.accepted(this, link, doorkeeper))));
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
    ControlConnection dial(InetSocketAddress to, ControlConnection.Owner owner, byte[] hello) {
        final ControlConnection connection = ControlConnection.dialed(this,
            RdmaAddress.text(UcxTransport.SCHEME, to), owner, hello);
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
        if (!isStarted && !isClosed) {
            isStarted = true;
            platform.threads().start(THREAD, this::run);
        }
        tcp.wakeUp();
        if (isOver) {
            runTasks();
        }
    }

    /** Hands on the events of all connections; returns the units of work done. */
    int poll() {
        int work = 0;
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
            work++;
        }
        return work;
    }

    /** Returns whether {@link #poll} has an event to hand on. */
    boolean hasEvents() {
        return !events.isEmpty();
    }

    /** Ends all connections and listeners, without events. */
    void close() {
        isClosed = true;
        if (!isStarted) {
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
        } catch (RuntimeException e) {                          // for example of the selector
            failure = e;
        } finally {
            end(failure);
        }
    }

    private void end(@Nullable RuntimeException failure) {
        final IOException why = new IOException("the connections of this worker have failed", failure);
        try (tcp) {
            List.copyOf(all).forEach(connection -> connection.closed(why));
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

    private ControlConnection accept(ControlConnection connection) {
        all.add(connection);
        silent.put(connection, platform.clock().nowNs() + GREETING_NS);
        if (silent.size() > SILENT_MAX) {
            silent.firstEntry().getKey().end();
        }
        return connection;
    }

    private void endSilent() {
        while (!silent.isEmpty() && platform.clock().nowNs() - silent.firstEntry().getValue() > 0) {
            silent.firstEntry().getKey().end();
        }
    }

    /** Notes that HELLO of a connection has arrived. */
    void greeted(ControlConnection connection) {
        silent.remove(connection);
    }

    /** Forgets a connection. */
    void remove(ControlConnection connection) {
        all.remove(connection);
        silent.remove(connection);
    }

    /** Hands an event to the agent. */
    void post(Runnable event) {
        events.add(event);
        signal.run();
    }
}
