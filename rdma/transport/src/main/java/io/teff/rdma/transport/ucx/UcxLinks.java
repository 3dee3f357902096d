package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.AddressException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.rdma.RdmaException;
import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.transport.RdmaAddress;
import io.teff.rdma.transport.RdmaTransport;
import io.teff.rdma.transport.Sleeper;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The work of a worker of UCX: connections, links, and arriving pieces. Used by the agent's thread only, except {@link
 * #signal}.
 *
 * <p>Each link has a number: an index into a table, and random bits above the index. A piece of an earlier link, or of
 * a peer that guesses numbers, finds no link.
 *
 * <p>The lists of links follow from the states ({@link #moved}). An entry whose link has moved on meanwhile leaves the
 * list at the next poll.
 */
final class UcxLinks implements Sleeper {
    /** The id of the active messages. */
    static final int MESSAGE = 1;
    /** Answered links without a first piece: a further link ends the oldest link. */
    private static final int ANSWERED_MAX = 256;
    /** Most polls after the end of a connection in which earlier pieces are handed on. */
    private static final int LAST_POLLS = 1_000;
    /** Endpoints that end in a single poll: each end takes some system calls. */
    private static final int RELEASES_MAX = 16;
    private static final long INDEX_MASK = 0xFFFF_FFFFL;
    private static final int FIRST_LINKS = 16;
    /** Longest sleep while links close, or have no first piece. */
    private static final long LOOK_NS = 10_000_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final String transports;
    private final Clock clock;
    private final RandomGenerator chance;
    private final UcxContext context;
    private final UcxWorker worker;
    private final SendBuffers buffers;
    private final byte[] address;
    private final ControlConnections connections;
    private @Nullable UcxLink[] table = new UcxLink[FIRST_LINKS];
    private int linkCount;
    private int nextIndex;
    /** Takes arriving pieces, while the pieces of {@link #handed} are handed on. */
    private Arrivals arriving = new Arrivals();
    private Arrivals handed = new Arrivals();

    /** Links in the state ANSWERED, the oldest first. */
    private final ArrayList<UcxLink> answered = new ArrayList<>();
    /** Links in the states LOST and LOST_CLOSING. */
    private final ArrayList<UcxLink> lost = new ArrayList<>();
    private int lastPolls;
    /** Links in the states CLOSING and LOST_CLOSING, the oldest first. */
    private final ArrayList<UcxLink> closing = new ArrayList<>();
    /** Links in the state OVER. */
    private final ArrayDeque<UcxLink> over = new ArrayDeque<>();
    /** Indexes of the links with buffers under way, or with a write that waits for a buffer. */
    private final BitSet sending = new BitSet(FIRST_LINKS);
    /** Buffers of released links, whose requests UCX has not ended. */
    private final ArrayDeque<SendBuffer> remaining = new ArrayDeque<>();
    private long failuresSeen;
    private boolean hasFailed;
    private boolean isClosing;
    private long cutShort;
    /** The failure of the close, for debuggers: no caller could do anything about the failure. */
    @SuppressWarnings("unused")
    private @Nullable RuntimeException end;

    private UcxLinks(String transports, Platform platform, UcxContext context) throws AddressException {
        this.transports = transports;
        clock = platform.clock();
        chance = platform.chance();
        this.context = context;
        worker = context.worker(UcxThreadMode.SERIALIZED);
        buffers = new SendBuffers(worker);
        address = worker.address();
        if (address.length > UcxHello.ADDRESS_MAX) {
            throw new RdmaException("ucp_worker_get_address", "the address has " + address.length
                + " bytes; fewer devices (UCX_NET_DEVICES) make it shorter");
        }
        worker.onMessage(MESSAGE, message -> arriving.add(message));
        connections = ControlConnections.open(platform, this::signal);
    }

    /**
     * Opens a worker.
     *
     * @param transports in the form of the UCX variable TLS; empty for the choice of UCX
     * @param platform clock, threads and random numbers
     */
    static UcxLinks open(String transports, Platform platform) throws IOException {
        final UcxConfig.Builder config = UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE, UcxFeature.WAKEUP)
            .closeTimeout(CLOSE_TIMEOUT);
        if (!transports.isEmpty()) {
            config.set("TLS", transports);
        }
        if (!transports.equals("tcp")) {                        // tcp alone does not know this setting
            config.set("MM_ERROR_HANDLING", "y");               // shared memory notices the death of a peer
        }
        try {
            final UcxContext context = UcxContext.open(config.build());
            boolean isDone = false;
            try {
                final UcxLinks links = new UcxLinks(transports, platform, context);
                isDone = true;
                return links;
            } finally {
                if (!isDone) {
                    context.close();
                }
            }
        } catch (RdmaUnavailableException e) {
            throw new AddressException("addresses of the scheme " + UcxTransport.SCHEME + " need UCX: "
                + e.getMessage());
        } catch (RdmaException e) {
            throw new IOException("UCX cannot be used" + (transports.isEmpty() ? "" : " with " + transports) + ": "
                + e.getMessage(), e);
        }
    }

    String transports() {
        return transports;
    }

    SendBuffers buffers() {
        return buffers;
    }

    int linkCount() {
        return linkCount;
    }

    long nowNs() {
        return clock.nowNs();
    }

    // ---- listeners and dials ----

    InetSocketAddress listen(InetSocketAddress at, Acceptor acceptor) throws IOException {
        try {
            return connections.listen(at, (connection, hello) -> accept(connection, hello, acceptor));
        } catch (BindException e) {
            throw (IOException) new BindException("cannot listen at " + RdmaAddress.text(UcxTransport.SCHEME, at) + ": "
                + e.getMessage()).initCause(e);
        }
    }

    /** Returns a number for a link. After {@link #add} pieces with this number find the link. */
    long nextNumber() {
        if (linkCount == table.length) {
            table = Arrays.copyOf(table, 2 * table.length);
        }
        while (table[nextIndex % table.length] != null) {
            nextIndex++;
        }
        final int index = nextIndex % table.length;
        nextIndex = index + 1;
        return (long) chance.nextInt() << Integer.SIZE | index;
    }

    void add(UcxLink link) {
        table[index(link.number())] = link;
        linkCount++;
    }

    private static int index(long number) {
        return (int) (number & INDEX_MASK);
    }

    private @Nullable UcxLink link(long number) {
        final long index = number & INDEX_MASK;
        final UcxLink link = index < table.length ? table[(int) index] : null;
        return link != null && link.number() == number ? link : null;
    }

    /** Begins to connect an added link. */
    ControlConnection dial(UcxLink link, InetSocketAddress to) {
        return connections.dial(to, link, hello(link));
    }

    /** {@return HELLO of a link} */
    byte[] hello(UcxLink link) {
        final byte[] bytes = new byte[UcxHello.BYTES];
        UcxHello.write(MemorySegment.ofArray(bytes), link.number(), address);
        return bytes;
    }

    /** Connects to the worker of a peer. */
    UcxEndpoint path(String peer, byte[] workerAddress) throws IOException {
        try {
            return worker.connect(workerAddress, UcxErrorMode.PEER);
        } catch (IllegalArgumentException | RdmaException e) {
            throw new IOException(peer + ": " + e.getMessage(), e);
        }
    }

    private void accept(ControlConnection connection, MemorySegment hello, Acceptor acceptor) {
        if (answered.size() >= ANSWERED_MAX) {
            final UcxLink oldest = answered.removeFirst();
            if (oldest.state() == UcxLinkState.ANSWERED) {
                oldest.close();
            }
        }
        final UcxLink link = UcxLink.accepted(this, connection, nextNumber(), acceptor);
        add(link);
        link.answer(hello, nowNs() + ControlConnections.GREETING_NS);
    }

    // ---- the duty ----

    /** Does what is possible without waiting; returns the units of work done. */
    int poll() {
        int work = worker.progress();
        work += deliver();
        work += lost.isEmpty() ? 0 : pollLost(work == 0);
        work += connections.poll();
        work += answered.isEmpty() ? 0 : pollAnswered();
        work += sending.isEmpty() ? 0 : pollSending();
        if (hasFailed || worker.failureCount() != failuresSeen) {
            work += pollFailures();
        }
        work += closing.isEmpty() ? 0 : pollClosing();
        work += over.isEmpty() ? 0 : release(RELEASES_MAX);
        if (!remaining.isEmpty()) {
            reclaim();
        }
        return work;
    }

    /** Ends links whose connection has ended, after the last earlier piece. */
    private int pollLost(boolean isQuiet) {
        if (!isQuiet && ++lastPolls < LAST_POLLS) {
            return 0;
        }
        lastPolls = 0;
        final List<UcxLink> all = List.copyOf(lost);
        lost.clear();
        all.forEach(UcxLink::endLost);
        return all.size();
    }

    private int pollAnswered() {
        final long nowNs = nowNs();
        int work = 0;
        for (int i = 0; i < answered.size(); i++) {
            final UcxLink link = answered.get(i);
            link.pollAnswered(nowNs);
            if (link.state() != UcxLinkState.ANSWERED) {
                answered.remove(i--);
                work++;
            }
        }
        return work;
    }

    /** Hands on all arrived pieces. Events may cause further pieces, if a node is a peer of itself. */
    private int deliver() {
        if (arriving.isEmpty()) {
            return 0;
        }
        final Arrivals messages = arriving;
        arriving = handed;
        handed = messages;
        int work = 0;
        for (long at = 0; at < messages.end(); at = messages.next(at)) {
            final long from = at + Arrivals.HEAD;
            final UcxLink link = link(PieceLayout.link(messages.memory(), from));
            if (link != null) {
                link.received(messages.memory(), from, (int) messages.length(at));
            }
            work++;
        }
        messages.clear();
        return work;
    }

    private int pollSending() {
        int work = 0;
        for (int index = sending.nextSetBit(0); index >= 0; index = sending.nextSetBit(index + 1)) {
            final UcxLink link = Objects.requireNonNull(table[index]);
            work += link.pollSending();
            if (!link.isSending()) {
                sending.clear(index);
            }
        }
        return work;
    }

    private int pollFailures() {
        hasFailed = false;
        failuresSeen = worker.failureCount();
        for (UcxLink link : table) {
            if (link != null) {
                link.pollFailure();
            }
        }
        return 1;
    }

    private int pollClosing() {
        final long nowNs = nowNs();
        int work = 0;
        for (int i = 0; i < closing.size(); i++) {
            final UcxLink link = closing.get(i);
            link.pollClosing(nowNs);
            if (!link.state().isClosing()) {
                closing.remove(i--);
                work++;
            }
        }
        return work;
    }

    private int release(int countMax) {
        int count = 0;
        while (count < countMax && !over.isEmpty()) {
            final UcxLink link = over.remove();
            final int index = index(link.number());
            table[index] = null;
            sending.clear(index);
            linkCount--;
            link.release(remaining);
            count++;
        }
        return count;
    }

    private void reclaim() {
        for (int i = remaining.size(); i > 0; i--) {
            final SendBuffer buffer = remaining.remove();
            if (buffer.request().isDone()) {
                buffers.giveBack(buffer);
            } else {
                remaining.add(buffer);
            }
        }
    }

    // ---- for links ----

    /** Takes note of the new state of a link. */
    void moved(UcxLink link) {
        switch (link.state()) {
            case ANSWERED -> answered.add(link);
            case LOST -> lost.add(link);
            case CLOSING, LOST_CLOSING -> addClosing(link);     // a link in LOST_CLOSING is in the list of lost links
            case OVER -> over.add(link);
            case NAMED, OPENING, OPEN, RELEASED -> { }
        }
    }

    private void addClosing(UcxLink link) {
        if (closing.size() >= RdmaTransport.CLOSING_MAX && !isClosing) {
            final UcxLink oldest = closing.removeFirst();
            if (oldest.state().isClosing()) {
                oldest.cutShort();
            }
        }
        closing.add(link);
    }

    /** Looks at a link in each poll, as long as {@link UcxLink#isSending}. */
    void watch(UcxLink link) {
        sending.set(index(link.number()));
    }

    /** Looks at all links in this poll or in the next poll, because a write has failed. */
    void failed() {
        hasFailed = true;
    }

    /** Counts a link whose peer has not answered CLOSE in time. */
    void countCutShort() {
        cutShort++;
    }

    /** Returns the number of links cut short since the last call. */
    long takeCutShort() {
        final long count = cutShort;
        cutShort = 0;
        return count;
    }

    // ---- waiting and the end ----

    /** Returns whether there is work without a report by a descriptor. */
    boolean hasWork() {
        return !arriving.isEmpty() || hasFailed || !over.isEmpty() || !lost.isEmpty() || connections.hasEvents()
            || worker.failureCount() != failuresSeen;
    }

    @Override
    public void sleep(long timeoutNs) {
        final boolean hasDeadlines = !answered.isEmpty() || !closing.isEmpty();
        worker.sleep(hasDeadlines ? Math.min(timeoutNs, LOOK_NS) : timeoutNs);
    }

    @Override
    public void signal() {
        try {
            worker.signal();
        } catch (IllegalStateException e) {
            end = e;                                            // the worker was closed, so nothing sleeps
        }
    }

    /** Begins to close everything. {@link #pollClose} continues the close, and {@link #close} ends the close. */
    void beginClose() {
        isClosing = true;
        for (UcxLink link : table) {
            if (link != null) {
                link.close();
            }
        }
    }

    /** Returns whether some peers do not have all taken bytes yet. */
    boolean hasClosing() {
        return !closing.isEmpty();
    }

    /** Continues the close; returns the units of work done. */
    int pollClose() {
        return worker.progress() + deliver() + connections.poll() + pollSending() + pollClosing()
            + release(RELEASES_MAX);                            // both ends of a link may be of this node
    }

    /** Sleeps until there may be more work for the close. */
    void sleepClose() {
        worker.sleep(LOOK_NS);
    }

    /** Closes everything, and cuts short all links that still close. */
    void close() {
        closing.stream().filter(link -> link.state().isClosing()).forEach(UcxLink::cutShort);
        closing.clear();
        release(Integer.MAX_VALUE);
        connections.close();
        try {
            context.close();
        } catch (IllegalStateException | RdmaException e) {
            end = e;                                            // UCX keeps operations without an end
        }
    }
}
