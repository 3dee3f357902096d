package io.teff.nio.selector.link;

import io.teff.nio.selector.report.Reports;
import io.teff.rdma.RdmaException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.UcxVersion;
import io.teff.rdma.ucx.message.UcxMessage;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * The worker of UCX of a provider, and the links and paths by number.
 *
 * <p>{@link WorkerKeeper} decides which thread makes progress. The handler of messages runs within calls of progress,
 * and calls UCX for nothing; what follows from a message is a <em>duty</em>, run behind progress by the thread that has
 * made progress. Duties that make or end endpoints take long, and belong to the helper. Any thread may send.
 */
final class UcxCore implements WorkerSteps {
    /** The id of the active messages. */
    static final int MESSAGE = 1;
    /** Longest time until a peer has answered CLOSE. */
    static final long CLOSE_NS = 5_000_000_000L;
    private static final long LOOK_NS = 100_000_000;
    private static final long SLEEP_NS = 10_000_000_000L;
    /** Calls of progress without work before what follows an end of TCP. */
    private static final int QUIET_POLLS = 3;
    /** The transports of UCX over shared memory, alone or in groups. */
    private static final Pattern SHARED_MEMORY = Pattern.compile("\\b(posix|sysv|xpmem|mm|sm|shm|all)\\b");
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final UcxContext context;
    private final UcxWorker worker;
    private final byte[] address;
    private final SendPool sendPool;
    private final SlabPool slabs = new SlabPool();
    private final PieceLinks links = new PieceLinks();
    private final Map<Long, PeerPath> paths = new ConcurrentHashMap<>();
    /** The paths again, for a walk without an allocation. */
    private final List<PeerPath> pathList = new CopyOnWriteArrayList<>();
    private final Set<ByteLink> closing = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> duties = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> helperDuties = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> quietDuties = new ConcurrentLinkedQueue<>();
    private final AtomicLong nextNumber = new AtomicLong(new SecureRandom().nextLong());
    private final TcpWatch watch;
    private final Reports reports;
    private final WorkerKeeper keeper;
    private final int pieceBytesMax;
    /** Pieces that UCX has not finished. */
    private final AtomicInteger underWay = new AtomicInteger();
    /** Written within the turn. */
    private volatile long failuresSeen;
    private volatile boolean isClosed;

    private UcxCore(UcxContext context, TcpWatch watch, Reports reports, long spinNs, int pieceBytesMax) {
        this.context = context;
        this.watch = watch;
        this.reports = reports;
        this.pieceBytesMax = pieceBytesMax;
        worker = context.worker(UcxThreadMode.MULTI);
        address = worker.address();
        sendPool = new SendPool(worker, pieceBytesMax);
        keeper = new WorkerKeeper(worker, this, spinNs);
        worker.onMessage(MESSAGE, this::arrived);
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
        int pieceBytesMax = StreamPieceLayout.BYTES_COMMON;
        if (transports.isEmpty() || SHARED_MEMORY.matcher(transports).find()) {     // else UCX warns of the settings
            config.set("MM_ERROR_HANDLING", "y");
            config.set("MM_SEG_SIZE", "" + StreamPieceLayout.SEGMENT);
        }
        if (transports.isEmpty() || transports.matches("(self,)?(posix|sysv|shm)(,(self|posix|sysv|shm|cma))*")) {
            pieceBytesMax = StreamPieceLayout.BYTES_MAX;
        }
        final UcxCore core = new UcxCore(UcxContext.open(config.build()), watch, reports, spinNs, pieceBytesMax);
        core.keeper.start();
        return core;
    }

    // ---- for links and paths ----

    byte[] address() {
        return address;
    }

    /** {@return the release of UCX, as a number: programs with different releases have no path} */
    int release() {
        final UcxVersion version = context.version();
        return version.major() << Short.SIZE | version.minor();
    }

    WorkerKeeper keeper() {
        return keeper;
    }

    /** {@return the number of pieces that UCX has not finished, to be counted by the paths} */
    AtomicInteger underWay() {
        return underWay;
    }

    SendPool sendPool() {
        return sendPool;
    }

    SlabPool slabs() {
        return slabs;
    }

    PieceLinks links() {
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
        links.put(link);
        return link;
    }

    /** Makes a path. Pieces to another machine are short: they go over transports with short segments. */
    PeerPath path(boolean isRemote) {
        final PeerPath path = new PeerPath(this, nextNumber.incrementAndGet(),
            isRemote ? StreamPieceLayout.BYTES_COMMON : pieceBytesMax);
        paths.put(path.number(), path);
        pathList.add(path);
        return path;
    }

    /** Makes an endpoint; a duty. */
    UcxEndpoint connect(byte[] peerAddress) {
        return worker.connect(peerAddress, UcxErrorMode.PEER);
    }

    /** Removes a failed path, and ends its links; a duty. */
    void forget(PeerPath path) {
        paths.remove(path.number());
        pathList.remove(path);
        for (ByteLink link : links.all()) {
            if (link.path() == path) {
                link.lose("Connection reset");
            }
        }
    }

    /** Lets the thread that makes progress run a step behind progress; within handlers of messages. */
    void dutyOfHandler(Runnable step) {
        duties.add(step);
    }

    /** Lets a thread run a step behind progress. Any thread. */
    void duty(Runnable step) {
        duties.add(step);
        keeper.signal();
    }

    /** Lets the helper run a step that may take long. */
    void helperDuty(Runnable step) {
        helperDuties.add(step);
        keeper.signalHelper();
    }

    /** Lets the helper run a step when all arrived pieces were handled. */
    void dutyWhenQuiet(Runnable step) {
        quietDuties.add(step);
        keeper.signalHelper();
    }

    // ---- the thread of the worker ----

    private void arrived(UcxMessage message) {
        final long length = message.length();
        final boolean hasHeader = message.headerLength() == StreamPieceLayout.HEAD;
        if (!hasHeader && length < StreamPieceLayout.HEAD || message.isRendezvous()) {
            return;                                             // the peer does not speak the protocol
        }
        final int from = hasHeader ? 0 : StreamPieceLayout.HEAD;
        final long receiver = word(message, hasHeader, StreamPieceLayout.RECEIVER);
        final long word = word(message, hasHeader, StreamPieceLayout.PLACE);
        final long consumed = word(message, hasHeader, StreamPieceLayout.CONSUMED);
        final int kind = StreamPieceLayout.kind(word);
        if (length - from > pieceBytesMax) {
            return;
        }
        if (kind == StreamPieceLayout.OPEN || kind == StreamPieceLayout.OPENED) {
            final PeerPath path = paths.get(receiver);
            if (path != null) {
                path.setPieceBytesMax(consumed);
                helperDuty(() -> path.first(kind));
            }
            return;
        }
        final ByteLink link = links.ofPiece(receiver);
        if (link != null) {
            link.arrived(word, consumed, message, from);
        }
    }

    private static long word(UcxMessage message, boolean hasHeader, int offset) {
        return hasHeader ? message.headerLong(offset) : message.dataLong(offset);
    }

    @Override
    public boolean hasExtras() {
        return !duties.isEmpty() || underWay.get() > 0 || worker.failureCount() != failuresSeen;
    }

    @Override
    public int extras() {
        int work = 0;
        for (int i = 0; i < pathList.size(); i++) {             // only the helper removes paths, within the turn
            work += pathList.get(i).reap();
        }
        work += runAll(duties);
        if (worker.failureCount() != failuresSeen) {
            failuresSeen = worker.failureCount();
            helperDuty(this::failPaths);
        }
        return work;
    }

    @Override
    public int helperRound(int quiet) {
        int work = runAll(helperDuties);
        if (quiet >= QUIET_POLLS && duties.isEmpty()) {
            work += runAll(quietDuties);
        }
        if (!closing.isEmpty()) {
            final long nowNs = System.nanoTime();
            closing.removeIf(link -> link.pollClosing(nowNs));
        }
        return work;
    }

    @Override
    public boolean hasSharedSteps() {
        return !duties.isEmpty();
    }

    @Override
    public boolean hasSteps() {
        return !duties.isEmpty() || !helperDuties.isEmpty() || !quietDuties.isEmpty();
    }

    @Override
    public long sleepNs() {
        return closing.isEmpty() ? SLEEP_NS : LOOK_NS;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public void failed(RuntimeException failure) {
        reports.failed(failure);
    }

    @Override
    public void end() {
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

    private void failPaths() {
        for (PeerPath path : paths.values()) {
            if (path.failure() != null) {
                path.fail();
            }
        }
    }

    /** Closes everything. */
    void close() throws InterruptedException {
        helperDuty(() -> {
            for (PeerPath path : paths.values()) {
                path.fail();
            }
            isClosed = true;
        });
        keeper.join(CLOSE_NS / 1_000_000);
    }
}
