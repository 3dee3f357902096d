package io.teff.cluster.client;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.ClientConfig;
import io.teff.cluster.LockLostException;
import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.CellTls;
import io.teff.cluster.cell.ClientNetwork;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.cell.MisfitException;
import io.teff.cluster.cell.SuperpeerSearch;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.client.ClientSession.Turn;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationMessages;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.cluster.registry.RegistryLimits;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client: sends an operation to the owner of its zone until there is an answer. Thread-safe.
 *
 * <p>An attempt waits for its answer as long as the tables name the same life of the owner. The attempt is given up if
 * the tables name a different life, because the answer may never come.
 *
 * <p>Each change has a ticket of the client's session, so that all attempts together have the effect of a single
 * attempt.
 *
 * <p>A client's NID is drawn by lot, so two clients may draw the same NID. Then a node refuses the client with the
 * earlier start, and the refused client draws again.
 */
final class ClusterClient implements AutoCloseable {
    /** Name in exceptions. */
    static final String NAME = "of the cluster";
    /** How often a waiting call looks whether the owner is still the owner. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** How long superpeers are asked for the addresses of all superpeers. */
    private static final long SEARCH_NS = TimeUnit.SECONDS.toNanos(5);

    private final ClientConfig config;
    private final KnownSuperpeers superpeers;
    private final RandomGenerator chance;
    private final Clock clock;
    private final Tables tables;
    private final ClientNetwork network;
    private final CellClient cell;
    private final TableKeeper keeper;
    private final SessionKeeper sessions;
    private final HeldLocks locks;
    private final ServiceCalls services;
    private final NearCaches nearCaches;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    /** Open streams of changes. */
    private final AtomicInteger streams = new AtomicInteger();

    private ClusterClient(ClientConfig config, Platform platform, Deadline limit) throws IOException {
        this.config = config;
        chance = platform.chance();
        clock = platform.clock();
        nearCaches = new NearCaches(clock);
        final SuperpeerSearch search = new SuperpeerSearch(config.superpeers(),
            nid -> network(nid, ClusterId.expected(config.cluster())), chance, clock);
        superpeers = search.all(limit.part(limit.shareNs(2, SEARCH_NS)));
        tables = new Tables(superpeers.set());
        network = new ClientNetwork((nid, cluster) -> network(nid, cluster).addresses(this::address)
            .spinNs(config.spinNs()).handlerThreads(1), search.cluster(), platform);
        cell = new CellClient(network, tables::superpeers);
        sessions = new SessionKeeper(network, cell, tables::superpeers, chance, clock);
        final List<SuperpeerRow> counting = superpeers.set().counting();
        keeper = new TableKeeper(tables, network, counting.get(chance.nextInt(counting.size())).number(),
            sessions::beat, platform, "teff-client-tables");
        locks = new HeldLocks(network, keeper, platform, config.lockLeaseNs());
        services = new ServiceCalls(this, network, cell, tables::superpeers, platform,
            Math.max(config.lockLeaseNs(), TimeUnit.MILLISECONDS.toNanos(RegistryLimits.LEASE_MS_MIN)));
    }

    /** Connects: returns when the tables have arrived. */
    static ClusterClient connect(ClientConfig config, Platform platform) {
        final Clock clock = platform.clock();
        final Deadline limit = Deadline.in(clock, config.timeoutNs());
        final ClusterClient client;
        try {
            client = new ClusterClient(config, platform, limit);
        } catch (MisfitException e) {
            throw new StoreException(Category.DEGRADED, "connect to " + config.superpeers() + ": " + FailureText.of(e)
                + " (ClientConfig.Builder has secret(Path) and tls(Path, Path, Path))", e);
        } catch (IOException e) {
            throw new StoreException(Category.DEGRADED, "the client has no network: " + FailureText.of(e), e);
        }
        client.keeper.start();
        try (Call call = new Call(client, clock, "connect to " + config.superpeers(), 0, limit)) {
            while (!client.keeper.isFilled()) {
                final NetworkException last = client.keeper.lastFailure();
                call.failed(last == null ? "no superpeer has answered" : FailureText.of(last), last);
                call.pause();
            }
            return client;
        } catch (RuntimeException | Error e) {
            client.close(0);
            throw e;
        }
    }

    static ClusterClient connect(ClientConfig config) {
        return connect(config, Platform.SYSTEM);
    }

    private NetworkConfig.Builder network(int nid, ClusterId cluster) {
        return CellTls.of(config.tls(), config.superpeerName()).on(NetworkConfig.builder(nid).secrets(config::secret)
            .cluster(cluster).adoptsCluster(true));
    }

    /** Returns the address of a node: superpeers have the lowest NIDs. */
    private @Nullable String address(int nid) {
        final NodeRow row = tables.node(nid);
        return row == null || row.address().isEmpty() ? superpeers.address(nid, tables.superpeers()) : row.address();
    }

    /** Returns the random numbers of this client. */
    RandomGenerator chance() {
        return chance;
    }

    // ---- state ----

    TableKeeper tables() {
        return keeper;
    }

    ServiceCalls services() {
        return services;
    }

    /** Returns the network of now; failures of its requests are passed to {@link #failed}. */
    Network network() {
        return network.now();
    }

    /** Has the client draw another NID if a node has refused the NID. */
    void failed(Network used, @Nullable Throwable failure) {
        network.failed(used, failure);
    }

    /** Returns the tables as they are now. */
    Tables rows() {
        return tables;
    }

    NearCaches nearCaches() {
        return nearCaches;
    }

    HeldLocks heldLocks() {
        return locks;
    }

    long lockTimeoutNs() {
        return Math.min(config.lockTimeoutNs(), config.timeoutNs());
    }

    /**
     * Returns memory for a request for a chunk. The request presents the token of the calling thread's lock, if any.
     *
     * @throws LockLostException if the thread has lost its lock
     */
    RequestBytes request(long cid) {
        return RequestBytes.once().token(locks.token(cid));
    }

    /** Begins a call without a chunk, or of several operations. */
    Call call(String what) {
        return new Call(this, clock, what, 0, Deadline.in(clock, config.timeoutNs()));
    }

    /** Begins a call with a time of its own. */
    Call call(String what, long timeoutNs) {
        return new Call(this, clock, what, 0, Deadline.in(clock, timeoutNs));
    }

    /** Begins a call of an operation on one chunk, or on several chunks. */
    Call call(OperationType type, long number) {
        return new Call(this, clock, type, number, Deadline.in(clock, config.timeoutNs()));
    }

    /** Returns a random time from three quarters to five quarters of a time. */
    long jitter(long ns) {
        return ns - ns / 4 + chance.nextLong(ns / 2 + 1);
    }

    /** Counts a stream of changes, or refuses it. */
    void beginStream() {
        if (streams.incrementAndGet() > ChangeStream.STREAMS_MAX) {
            streams.decrementAndGet();
            throw new IllegalStateException("this client has " + ChangeStream.STREAMS_MAX + " open streams of changes, "
                + "as many as are possible");
        }
    }

    void endStream() {
        streams.decrementAndGet();
    }

    boolean isOpen() {
        return !isClosed.get();
    }

    void checkOpen() {
        if (isClosed.get()) {
            throw Call.closed();
        }
    }

    // ---- single operations ----

    /** Sends an operation with an answer without content; see below. */
    OperationAnswer send(Call call, OperationType type, long cid, RequestBytes request, boolean isLong) {
        return send(call, type, cid, request, isLong, 0);
    }

    /**
     * Sends an operation until it is answered.
     *
     * @param call deadline and pauses of the operation
     * @param type the operation
     * @param cid the chunk, or a CID of the zone
     * @param request the bytes, unchanged by the calling thread until this method returns
     * @param isLong whether the request or the answer is long
     * @param contentMax longest content of the answer
     * @return the answer: DONE, OUTSIDE, ABSENT, LONG_RESULT, or the failure of a function; for a change, the answer of
     *     the only execution
     * @throws RuntimeException if the store refuses the operation, the deadline has passed, or this client is closed
     */
    OperationAnswer send(Call call, OperationType type, long cid, RequestBytes request, boolean isLong,
                         int contentMax) {
        checkOpen();
        if (!isZone(Cid.nid(cid)) || isMissing(call, Cid.nid(cid))) {
            return OperationAnswer.NO_CHUNK;
        }
        return type.isChange() ? sendChange(call, type, cid, request, isLong, contentMax)
            : sendUntilAnswered(call, type, cid, request, isLong, contentMax);
    }

    /** Sends a change, under one ticket, until it is answered. */
    private OperationAnswer sendChange(Call call, OperationType type, long cid, RequestBytes request, boolean isLong,
                                       int contentMax) {
        Turn turn = turn(call, Cid.nid(cid));
        try {
            while (true) {
                request.putTicket(turn.session().number(), 0, turn.ticket());
                final OperationAnswer answer = sendUntilAnswered(call, type, cid, request, isLong,
                    contentMax);
                if (answer.code() != OperationFormat.EXPIRED) {
                    call.settled();
                    return answer;
                }
                expired(call, turn);
                turn.end();
                turn = turn(call, Cid.nid(cid));
            }
        } finally {
            turn.end();
        }
    }

    /**
     * The session of a change has ended. The change is sent again in the next session if no attempt can have been
     * executed.
     */
    void expired(Call call, Turn turn) {
        sessions.lost(turn.session());
        if (call.mayBeDone()) {
            throw call.sessionLost();
        }
        call.failed("the session of this client has ended", null);
        if (call.isOver()) {
            throw call.timedOut();
        }
    }

    /** The session of a section of a batch has ended. */
    void expired(Turn turn) {
        sessions.lost(turn.session());
    }

    /** Takes a slot of a zone for a change; waits while all are occupied. */
    Turn turn(Call call, int zone) {
        while (true) {
            Turn turn = tryTurn(call, zone);
            try {
                turn = turn == null ? sessions.session(call, this).await(zone, Math.min(LOOK_NS, call.leftNs())) : turn;
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            }
            if (turn != null) {
                return turn;
            }
            checkOpen();
            call.failed("the client has " + Ticket.SLOTS + " changes under way in zone " + zone + keeper.problem(zone),
                null);
            if (call.isOver()) {
                throw call.timedOut();
            }
        }
    }

    /** Takes a slot of a zone for a change, or returns null. */
    @Nullable Turn tryTurn(Call call, int zone) {
        return sessions.session(call, this).take(zone);
    }

    private OperationAnswer sendUntilAnswered(Call call, OperationType type, long cid, RequestBytes request,
                                              boolean isLong, int contentMax) {
        boolean asLong = isLong;
        while (true) {
            final boolean isLast = call.isLastForLocks();
            if (isLast) {
                request.givesUp();
            }
            final OperationAnswer answer = attempt(call, type, Cid.nid(cid), request, asLong, contentMax);
            if (answer == null) {
                call.pause();
                continue;
            }
            switch (answer.code()) {
                case OperationFormat.DONE, OperationFormat.OUTSIDE, OperationFormat.ABSENT, OperationFormat.EXPIRED,
                    OperationFormat.LONG_RESULT, OperationFormat.NO_FUNCTION, OperationFormat.FUNCTION_FAILED,
                    OperationFormat.ELSEWHERE -> {
                    return answer;
                }
                case OperationFormat.REFUSED -> throw answer.refusal();
                case OperationFormat.TOO_LONG -> asLong = true;
                case OperationFormat.FENCED -> throw type.isFenced() ? LaterHolder.exception()
                    : locks.lost(type == OperationType.GROUP ? call.lockedCid() : cid);
                case OperationFormat.LOCKED -> {
                    if (isLast) {
                        return OperationAnswer.LOCKED_CHUNK;
                    }
                    call.failed("others have locked the chunk", null);
                    call.pauseLocked();
                }
                case OperationFormat.NOT_HERE -> notHere(call, answer);
                case OperationFormat.BUSY -> {
                    call.failed("the owner is busy" + keeper.problem(Cid.nid(cid)), null);
                    call.pause();
                }
                default -> {
                    call.failed("the owner has lost the zone", null);
                    lost(call, type);
                    call.pause();
                }
            }
        }
    }

    private void notHere(Call call, OperationAnswer answer) {
        call.failed("the owner does not serve the zone", null);
        boolean isNewer = false;
        try {
            isNewer = keeper.update(answer.row());
        } catch (MalformedException e) {
            call.failed("a row is malformed", e);
        }
        if (!isNewer) {
            call.pause();
        } else if (call.isOver()) {
            throw call.timedOut();
        }
    }

    /** Notes an attempt with an unknown outcome. */
    void lost(Call call, OperationType type) {
        checkOpen();
        if (type.isChange()) {
            call.isUnknown();
        }
    }

    private @Nullable OperationAnswer attempt(Call call, OperationType type, int zone, RequestBytes request,
                                              boolean isLong, int contentMax) {
        final NodeRef owner = owner(call, zone);
        if (owner == null) {
            return null;
        }
        final Attempt attempt = begin(call, owner, request, isLong, true);
        if (attempt == null) {
            return null;
        }
        final byte[] bytes = await(call, attempt, zone, type);
        if (bytes == null) {
            return null;
        }
        try {
            return OperationAnswer.read(bytes, type, contentMax);
        } catch (MalformedException e) {
            call.failed("the answer is malformed", e);
            lost(call, type);
            return null;
        }
    }

    /** Returns whether chunks can be in a zone; all other creators exist in a local store only. */
    static boolean isZone(int zone) {
        return zone > 0 && zone <= ZoneRow.ZONE_MAX;
    }

    /**
     * Returns whether a zone does not exist, so that the zone can have no chunk: the zone is in no row of the tables,
     * and the cell has not assigned the zone. The cell is asked in each call, because the tables may lag behind, and
     * because the zone may exist soon.
     *
     * @throws RuntimeException if the deadline has passed before the cell has answered, or this client is closed
     */
    boolean isMissing(Call call, int zone) {
        while (tables.zone(zone) == null) {
            call.failed("zone " + zone + " is unknown, and no superpeer says whether it exists", null);
            final CommandReply reply = ask(call, new Command.ZoneSought(zone));
            if (reply instanceof CommandReply.Refused) {
                return true;
            }
            if (reply != null) {
                return false;                                   // the row arrives soon
            }
            call.pause();
        }
        return false;
    }

    @Nullable CommandReply ask(Call call, Command command) {
        checkOpen();
        final CompletableFuture<@Nullable CommandReply> reply = cell.send(command);
        while (true) {
            try {
                return reply.get(call.leftNs(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                return null;
            } catch (ExecutionException e) {
                call.failed(FailureText.of(e), e);
                return null;
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            }
        }
    }

    /**
     * Returns the owner of a zone, or null if the zone has no owner now.
     *
     * @throws StoreException if the zone is lost
     */
    @Nullable NodeRef owner(Call call, int zone) {
        final NodeRef owner = keeper.owner(zone);
        if (owner == null) {
            final ZoneRow row = tables.zone(zone);
            if (row != null && row.state() == ZoneState.LOST) {
                throw new StoreException(Category.DEGRADED, "zone " + zone + " is lost: none of its backups lives");
            }
            final String obstacle = row == null ? null : row.obstacle();
            call.failed("zone " + zone + (row == null ? " is unknown" : " has no owner now"
                + (obstacle == null ? "" : ": " + obstacle)), null);
        }
        return owner;
    }

    // ---- attempts ----

    /** A sent request. */
    record Attempt(Network network, NodeRef owner, CompletableFuture<byte[]> future) {}

    /** Sends a request; returns null if nothing was sent. */
    @Nullable Attempt begin(Call call, NodeRef owner, RequestBytes request, boolean isLong, boolean isAwaited) {
        checkOpen();
        final Network used = network.now();
        try {
            return new Attempt(used, owner, OperationMessages.request(used, owner.nid(), isLong, isAwaited,
                request, call.leftNs()));
        } catch (NetworkException e) {
            notSent(call, used, e);
            return null;
        }
    }

    private void notSent(Call call, Network used, NetworkException e) {
        call.interrupt().keep();
        call.failed(FailureText.of(e), e);
        network.failed(used, e);
    }

    /**
     * Waits for the answer of an attempt.
     *
     * @return the answer; null if there is none
     */
    byte @Nullable [] await(Call call, Attempt attempt, int zone, OperationType type) {
        while (true) {
            try {
                return attempt.future.get(Math.min(LOOK_NS, call.leftNs()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                if (!mayStillAnswer(call, attempt, zone)) {
                    attempt.future.cancel(false);
                    lost(call, type);
                    return null;
                }
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            } catch (ExecutionException e) {
                ended(call, attempt, type, e.getCause());
                return null;
            }
        }
    }

    private boolean mayStillAnswer(Call call, Attempt attempt, int zone) {
        if (!isOpen()) {
            return false;
        }
        if (call.isOver()) {
            call.unanswered("node " + attempt.owner.nid() + " has not answered" + keeper.problem(zone));
            return false;
        }
        keeper.want();
        if (!attempt.owner.equals(keeper.owner(zone))) {
            call.unanswered("node " + attempt.owner.nid() + " has not answered before it lost the zone"
                + keeper.problem(zone));
            return false;
        }
        return true;
    }

    private void ended(Call call, Attempt attempt, OperationType type, @Nullable Throwable thrown) {
        checkOpen();
        final String text = thrown == null ? "no answer" : FailureText.of(thrown);
        call.failed(text, thrown);
        if (!(thrown instanceof NetworkException e)) {
            throw new IllegalStateException(text, thrown);
        }
        switch (e.reason()) {
            case UNREACHABLE, REFUSED, NO_HANDLER, MISFIT, DENIED -> { }
            case TAKEN -> network.failed(attempt.network, e);
            case FAILED -> {
                lost(call, type);
                throw type.isChange() ? call.unknown() : new StoreException(Category.DEGRADED, text, e);
            }
            default -> lost(call, type);
        }
    }

    // ---- the end ----

    /** Ends all calls and connections. Idempotent. */
    @Override
    public void close() {
        close(Long.MAX_VALUE);
    }

    /** Ends all calls and connections, after a wait of at most {@code lingerNs} for the last messages. */
    private void close(long lingerNs) {
        if (isClosed.compareAndSet(false, true)) {
            locks.close();
            services.close();
            sessions.close();
            keeper.close();
            network.close(lingerNs);
            locks.join();
            services.join();
            keeper.join();
        }
    }
}
