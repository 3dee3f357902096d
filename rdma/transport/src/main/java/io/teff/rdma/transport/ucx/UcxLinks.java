package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.AddressException;
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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work of one worker of UCX: its connections, its links, and the messages that arrive. Used by the agent's thread
 * only, except {@link #signal}.
 *
 * <p>Links have numbers: an index into a table, and random bits above it, so that a message of an earlier link, or of a
 * peer that guesses, finds none.
 */
final class UcxLinks implements Sleeper {
    /** The number of the active messages. */
    static final int MESSAGE = 1;
    /** Links that were answered and have no first message: one more ends the oldest. */
    private static final int ANSWERED_MAX = 256;
    /** Polls after the end of a connection in which messages that came before it are handed on at most. */
    private static final int LAST_POLLS = 1_000;
    /** Endpoints that are ended in one poll: each takes some system calls. */
    private static final int RELEASES_MAX = 16;
    private static final long INDEX_MASK = 0xFFFF_FFFFL;
    private static final int FIRST_LINKS = 16;
    /** Longest sleep while links close, or have no first message. */
    private static final long LOOK_NS = 10_000_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(200);

    private final String transports;
    private final LongSupplier clock;
    private final UcxContext context;
    private final UcxWorker worker;
    private final Pieces pieces;
    private final byte[] address;
    private final SecureRandom chance = new SecureRandom();
    private final Connections connections;
    private @Nullable UcxLink[] table = new UcxLink[FIRST_LINKS];
    private int linkCount;
    private int nextIndex;
    /** Messages are added to the first; the second is being handed on. */
    private Arrivals arriving = new Arrivals();
    private Arrivals handed = new Arrivals();

    /** Accepted links that wait for the first message. */
    private final ArrayList<UcxLink> answered = new ArrayList<>();
    /** Links whose connection has ended; messages that came before may not have been handed on yet. */
    private final ArrayList<UcxLink> ending = new ArrayList<>();
    private int lastPolls;
    /** Links with pieces under way. */
    private final ArrayList<UcxLink> sending = new ArrayList<>();
    private final ArrayList<UcxLink> closing = new ArrayList<>();
    private final ArrayDeque<UcxLink> discarded = new ArrayDeque<>();
    /** Pieces of links that are gone, whose requests UCX has not ended. */
    private final ArrayDeque<Piece> remaining = new ArrayDeque<>();
    private long failuresSeen;
    private boolean hasFailed;
    private boolean isClosing;
    private long cutShort;
    /** The failure of the close, for debuggers: there is no caller who could do anything about it. */
    @SuppressWarnings("unused")
    private @Nullable RuntimeException end;

    private UcxLinks(String transports, LongSupplier clock, UcxContext context) throws AddressException {
        this.transports = transports;
        this.clock = clock;
        this.context = context;
        worker = context.worker(UcxThreadMode.SERIALIZED);
        pieces = new Pieces(worker);
        address = worker.address();
        if (address.length > Hello.ADDRESS_MAX) {
            throw new RdmaException("ucp_worker_get_address", "the address has " + address.length
                + " bytes; fewer devices (UCX_NET_DEVICES) make it shorter");
        }
        worker.onMessage(MESSAGE, message -> arriving.add(message));
        connections = Connections.open(clock, this::signal);
    }

    /**
     * Opens a worker.
     *
     * @param transports of UCX, as its variable TLS; empty for its own choice
     */
    static UcxLinks open(String transports) throws IOException {
        return open(transports, System::nanoTime);
    }

    /** Opens a worker with another clock of nanoseconds, which any thread may ask. */
    static UcxLinks open(String transports, LongSupplier clock) throws IOException {
        final UcxConfig.Builder config = UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE, UcxFeature.WAKEUP)
            .closeTimeout(CLOSE_TIMEOUT);
        if (!transports.isEmpty()) {
            config.set("TLS", transports);
        }
        if (!transports.equals("tcp")) {                        // which does not know this setting
            config.set("MM_ERROR_HANDLING", "y");               // shared memory notices that a peer has died
        }
        try {
            final UcxContext context = UcxContext.open(config.build());
            boolean isDone = false;
            try {
                final UcxLinks links = new UcxLinks(transports, clock, context);
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

    Pieces pieces() {
        return pieces;
    }

    int linkCount() {
        return linkCount;
    }

    long nowNs() {
        return clock.getAsLong();
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

    /** Gives a link its number, after which messages find it. */
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

    /** Begins to connect a link that was added. */
    Connection dial(UcxLink link, InetSocketAddress to) {
        return connections.dial(to, link, hello(link));
    }

    /** {@return HELLO of a link} */
    byte[] hello(UcxLink link) {
        final byte[] bytes = new byte[Hello.BYTES];
        Hello.write(MemorySegment.ofArray(bytes), link.number(), address);
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

    private void accept(Connection connection, MemorySegment hello, Acceptor acceptor) {
        if (answered.size() == ANSWERED_MAX) {
            answered.removeFirst().close();
        }
        final UcxLink link = UcxLink.accepted(this, connection, nextNumber(), acceptor);
        add(link);
        link.answer(hello, nowNs() + Connections.GREETING_NS);
        answered.add(link);
    }

    // ---- the duty ----

    /** Does what is possible without waiting; returns the units of work done. */
    int poll() {
        int work = worker.progress();
        work += deliver();
        work += ending.isEmpty() ? 0 : pollEnding(work == 0);
        work += connections.poll();
        work += answered.isEmpty() ? 0 : pollAnswered();
        work += sending.isEmpty() ? 0 : pollSending();
        if (hasFailed || worker.failureCount() != failuresSeen) {
            work += pollFailures();
        }
        work += closing.isEmpty() ? 0 : pollClosing();
        work += discarded.isEmpty() ? 0 : release(RELEASES_MAX);
        if (!remaining.isEmpty()) {
            reclaim();
        }
        return work;
    }

    /** Ends links whose connection has ended, when there are no messages left that came before. */
    private int pollEnding(boolean isQuiet) {
        if (!isQuiet && ++lastPolls < LAST_POLLS) {
            return 0;
        }
        lastPolls = 0;
        final List<UcxLink> all = List.copyOf(ending);
        ending.clear();
        all.forEach(UcxLink::endLost);
        return all.size();
    }

    private int pollAnswered() {
        final long nowNs = nowNs();
        int work = 0;
        for (int i = 0; i < answered.size(); i++) {
            if (answered.get(i).pollAnswered(nowNs)) {
                answered.remove(i--);
                work++;
            }
        }
        return work;
    }

    /** Hands on what has arrived. Events may cause further messages, if a node is its own peer. */
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
            final UcxLink link = link(Piece.link(messages.memory(), from));
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
        for (int i = 0; i < sending.size(); i++) {
            final UcxLink link = sending.get(i);
            work += link.pollSending();
            if (!link.isSending()) {
                final UcxLink last = sending.removeLast();
                if (i < sending.size()) {
                    sending.set(i--, last);
                }
                link.setWatched(false);
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
            if (closing.get(i).pollClosing(nowNs)) {
                discarded.add(closing.remove(i--));
                work++;
            }
        }
        return work;
    }

    private int release(int countMax) {
        int count = 0;
        while (count < countMax && !discarded.isEmpty()) {
            final UcxLink link = discarded.remove();
            table[index(link.number())] = null;
            linkCount--;
            link.release(remaining);
            count++;
        }
        return count;
    }

    private void reclaim() {
        for (int i = remaining.size(); i > 0; i--) {
            final Piece piece = remaining.remove();
            if (piece.request.isDone()) {
                pieces.giveBack(piece);
            } else {
                remaining.add(piece);
            }
        }
    }

    // ---- for links ----

    /** Looks at a link in each poll: it has pieces under way, or waits for one. */
    void watch(UcxLink link) {
        if (link.setWatched(true)) {
            sending.add(link);
        }
    }

    /** Looks at all links in this poll, or the next one, because a write has failed. */
    void failed() {
        hasFailed = true;
    }

    /** Ends a link whose connection has ended, after its last messages. */
    void endSoon(UcxLink link) {
        ending.add(link);
    }

    /** Counts a link whose peer has not answered its CLOSE in time. */
    void cutShort() {
        cutShort++;
    }

    /** Returns the number of such links since the last call. */
    long takeCutShort() {
        final long count = cutShort;
        cutShort = 0;
        return count;
    }

    /** Sends the last bytes of a link. */
    void drain(UcxLink link) {
        if (closing.size() >= RdmaTransport.CLOSING_MAX && !isClosing) {
            final UcxLink oldest = closing.removeFirst();
            oldest.cutShort();
            discarded.add(oldest);
        }
        closing.add(link);
    }

    /** Ends a link that is over when no event runs. */
    void discard(UcxLink link) {
        discarded.add(link);
    }

    // ---- waiting and the end ----

    /** Returns whether there is something to do that no descriptor reports. */
    boolean hasWork() {
        return !arriving.isEmpty() || hasFailed || !discarded.isEmpty() || !ending.isEmpty() || connections.hasEvents()
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
            end = e;                                            // closed meanwhile, so nothing sleeps
        }
    }

    /** Begins to close everything: {@link #pollClose} goes on with it, and {@link #close} ends it. */
    void beginClose() {
        isClosing = true;
        for (UcxLink link : table) {
            if (link != null) {
                link.close();
            }
        }
    }

    /** Returns whether the peers do not have all yet that was taken. */
    boolean hasClosing() {
        return !closing.isEmpty();
    }

    /** Goes on with the close; returns the units of work done. */
    int pollClose() {
        return worker.progress() + deliver() + connections.poll() + pollSending() + pollClosing()
            + release(RELEASES_MAX);                            // the other end of a link may be of this node
    }

    /** Sleeps until there may be more to do for the close. */
    void sleepClose() {
        worker.sleep(LOOK_NS);
    }

    /** Closes everything, and cuts short what is not closed. */
    void close() {
        closing.forEach(UcxLink::cutShort);
        discarded.addAll(closing);
        closing.clear();
        release(Integer.MAX_VALUE);
        connections.close();
        try {
            context.close();
        } catch (IllegalStateException | RdmaException e) {
            end = e;                                            // UCX keeps what it cannot end
        }
    }
}
