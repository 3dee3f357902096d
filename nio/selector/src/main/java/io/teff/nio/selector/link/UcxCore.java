package io.teff.nio.selector.link;

import io.teff.nio.selector.report.Reports;
import io.teff.rdma.RdmaException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxMessage;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The worker of UCX of a provider, its thread, and the links and paths by number.
 *
 * <p>The thread sleeps in the descriptors of the worker. The handler of messages runs within calls of progress, and
 * calls UCX for nothing; what follows from a message is a <em>duty</em>, run behind progress by the thread. Any thread
 * may send. A thread that waits for a link makes progress itself for a short time, if the settings say so.
 */
final class UcxCore {
    /** The id of the active messages. */
    static final int MESSAGE = 1;
    /** Longest time until a peer has answered CLOSE. */
    static final long CLOSE_NS = 5_000_000_000L;
    private static final long LOOK_NS = 100_000_000;
    private static final long SLEEP_NS = 10_000_000_000L;
    /** Calls of progress without work before what follows an end of TCP. */
    private static final int QUIET_POLLS = 3;
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final UcxContext context;
    private final UcxWorker worker;
    private final byte[] address;
    private final SendPool sendPool;
    private final SlabPool slabs = new SlabPool();
    private final Map<Long, ByteLink> links = new ConcurrentHashMap<>();
    private final Map<Long, PeerPath> paths = new ConcurrentHashMap<>();
    private final Set<ByteLink> closing = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> duties = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> quietDuties = new ConcurrentLinkedQueue<>();
    private final AtomicLong nextNumber = new AtomicLong(new SecureRandom().nextLong());
    private final TcpWatch watch;
    private final Reports reports;
    private final long spinNs;
    private final Thread thread;
    private long failuresSeen;
    private volatile boolean isClosed;

    private UcxCore(UcxContext context, TcpWatch watch, Reports reports, long spinNs) {
        this.context = context;
        this.watch = watch;
        this.reports = reports;
        this.spinNs = spinNs;
        worker = context.worker(UcxThreadMode.MULTI);
        address = worker.address();
        sendPool = new SendPool(worker);
        worker.onMessage(MESSAGE, this::arrived);
        thread = Thread.ofPlatform().daemon().name("teff-nio-ucx").unstarted(this::run);
    }

    /**
     * Opens a worker.
     *
     * @param transports in the form of the UCX variable TLS; empty for the choice of UCX
     * @throws RdmaException if UCX is missing or refuses
     */
    static UcxCore open(String transports, TcpWatch watch, Reports reports, long spinNs) {
        final UcxConfig.Builder config = UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE, UcxFeature.WAKEUP)
            .closeTimeout(CLOSE_TIMEOUT);
        if (!transports.isEmpty()) {
            config.set("TLS", transports);
        }
        if (!transports.equals("tcp")) {                        // tcp alone does not know this setting
            config.set("MM_ERROR_HANDLING", "y");
        }
        final UcxCore core = new UcxCore(UcxContext.open(config.build()), watch, reports, spinNs);
        core.thread.start();
        return core;
    }

    // ---- for links and paths ----

    byte[] address() {
        return address;
    }

    SendPool sendPool() {
        return sendPool;
    }

    SlabPool slabs() {
        return slabs;
    }

    Map<Long, ByteLink> links() {
        return links;
    }

    Set<ByteLink> closing() {
        return closing;
    }

    TcpWatch watch() {
        return watch;
    }

    Reports reports() {
        return reports;
    }

    long nowNs() {
        return System.nanoTime();
    }

    /** Makes a link. The link gets pieces when it is attached, or from now on if it is of a client. */
    ByteLink link(PeerPath path, long peerNumber, boolean isConfirmed) {
        final ByteLink link = new ByteLink(this, path, nextNumber.incrementAndGet(), peerNumber, isConfirmed);
        links.put(link.number(), link);
        return link;
    }

    PeerPath path() {
        final PeerPath path = new PeerPath(this, nextNumber.incrementAndGet());
        paths.put(path.number(), path);
        return path;
    }

    /** Makes an endpoint; a duty. */
    UcxEndpoint connect(byte[] peerAddress) {
        return worker.connect(peerAddress, UcxErrorMode.PEER);
    }

    /** Removes a failed path, and ends its links; a duty. */
    void forget(PeerPath path) {
        paths.remove(path.number());
        for (ByteLink link : links.values()) {
            if (link.path() == path) {
                link.lose("Connection reset");
            }
        }
    }

    /** Lets the thread of the worker run a step behind progress. Any thread, also within handlers. */
    void duty(Runnable step) {
        duties.add(step);
        signal();
    }

    /** Lets the thread of the worker run a step when all arrived pieces were handled. */
    void dutyWhenQuiet(Runnable step) {
        quietDuties.add(step);
        signal();
    }

    void signal() {
        if (!Thread.currentThread().equals(thread) && !isClosed) {
            try {
                worker.signal();
            } catch (IllegalStateException e) {
                assert isClosed : e;                            // closed in this moment
            }
        }
    }

    /** Makes progress for a short time until a condition holds; false if the condition does not hold by then. */
    boolean spin(BooleanSupplier condition) {
        if (spinNs > 0) {
            final long begin = System.nanoTime();
            while (!condition.getAsBoolean()) {
                if (System.nanoTime() - begin >= spinNs || isClosed) {
                    return false;
                }
                worker.progress();
                Thread.onSpinWait();
            }
            return true;
        }
        return condition.getAsBoolean();
    }

    // ---- the thread of the worker ----

    private void arrived(UcxMessage message) {
        final long length = message.length();
        if (length < StreamPieceLayout.HEAD || length > StreamPieceLayout.SIZE || message.isRendezvous()) {
            return;                                             // the peer does not speak the protocol
        }
        final long receiver = message.dataLong(StreamPieceLayout.RECEIVER);
        final long word = message.dataLong(StreamPieceLayout.PLACE);
        final int kind = StreamPieceLayout.kind(word);
        if (kind == StreamPieceLayout.OPEN || kind == StreamPieceLayout.OPENED) {
            final PeerPath path = paths.get(receiver);
            if (path != null) {
                duty(() -> path.first(kind));
            }
            return;
        }
        final ByteLink link = links.get(receiver);
        if (link != null) {
            link.arrived(word, message.dataLong(StreamPieceLayout.CONSUMED), message);
        }
    }

    private void run() {
        int quiet = 0;
        while (!isClosed) {
            try {
                int work = worker.progress() + runAll(duties);
                for (PeerPath path : paths.values()) {
                    work += path.reap();
                }
                work += pollFailures();
                quiet = work == 0 ? quiet + 1 : 0;
                if (quiet >= QUIET_POLLS) {
                    work += runAll(quietDuties);
                }
                if (!closing.isEmpty()) {
                    final long nowNs = System.nanoTime();
                    closing.removeIf(link -> link.pollClosing(nowNs));
                }
                if (work == 0 && duties.isEmpty() && quietDuties.isEmpty()) {
                    worker.sleep(closing.isEmpty() ? SLEEP_NS : LOOK_NS);
                }
            } catch (RdmaException | IllegalStateException e) {
                if (!isClosed) {
                    reports.failed(e);
                }
            }
        }
        try {
            context.close();
        } catch (RdmaException | IllegalStateException e) {
            reports.failed(e);                                  // UCX keeps operations without an end
        }
    }

    private static int runAll(Queue<Runnable> steps) {
        int count = 0;
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
            count++;
        }
        return count;
    }

    private int pollFailures() {
        if (worker.failureCount() == failuresSeen) {
            return 0;
        }
        failuresSeen = worker.failureCount();
        for (PeerPath path : paths.values()) {
            if (path.failure() != null) {
                path.fail();
            }
        }
        return 1;
    }

    /** Closes everything. */
    void close() throws InterruptedException {
        duty(() -> {
            for (PeerPath path : paths.values()) {
                path.fail();
            }
            isClosed = true;
        });
        thread.join(CLOSE_NS / 1_000_000);
    }

}
