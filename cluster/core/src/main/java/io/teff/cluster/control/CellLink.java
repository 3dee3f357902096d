package io.teff.cluster.control;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.MissingRightException;
import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.admin.NodeFigures;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.CellTls;
import io.teff.cluster.cell.ClientNetwork;
import io.teff.cluster.cell.Denials;
import io.teff.cluster.cell.KnownSuperpeers;
import io.teff.cluster.cell.SuperpeerSearch;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.AccessAnswer;
import io.teff.cluster.message.AccessRequest;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.FiguresAnswer;
import io.teff.cluster.message.FiguresRequest;
import io.teff.cluster.message.LinesAnswer;
import io.teff.cluster.message.LinesRequest;
import io.teff.cluster.message.RestartAnswer;
import io.teff.cluster.message.RestartRequest;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.message.StatusRequest;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.registry.RegistryStep;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.KeptInterrupt;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A connection to the superpeers, and by the tables to all nodes, under an ephemeral NID. Thread-safe. */
public final class CellLink implements AutoCloseable {
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(4);
    /** Without an answer for this time the next superpeer is asked, too. */
    private static final long HEDGE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long REACH_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final KnownSuperpeers known;
    private final Tables tables;
    private final SuperpeerSearch search;
    private final ClientNetwork network;
    private final CellClient cell;
    private final Clock clock;
    private volatile int last;
    private volatile String problem = "";

    private CellLink(ClientConfig config, KnownSuperpeers known, SuperpeerSearch search, Platform platform)
        throws IOException {
        clock = platform.clock();
        this.known = known;
        this.search = search;
        tables = new Tables(known.set());
        network = new ClientNetwork((nid, cluster) -> network(nid, config).cluster(cluster).handlerThreads(1)
            .lingerNs(0).reachNs(REACH_NS).addresses(this::address), ClusterId.expected(config.cluster()),
            platform);
        cell = new CellClient(network, tables::superpeers);
    }

    private static NetworkConfig.Builder network(int nid, ClientConfig config) {
        return CellTls.of(config.tls(), config.superpeerName()).on(NetworkConfig.builder(nid).secrets(config::secret)
            .cluster(ClusterId.expected(config.cluster())).adoptsCluster(true));
    }

    /**
     * Opens a connection, after asking the known superpeers for the addresses of all superpeers.
     *
     * @param config addresses of one or more superpeers, in any order, secret and TLS
     * @param platform clock, threads and random numbers
     * @return the connection; without an answer within four seconds, the known addresses count as all addresses
     * @throws IOException if the network cannot be opened, or the superpeers and this process do not fit
     */
    static CellLink find(ClientConfig config, Platform platform) throws IOException {
        SuperpeerSearch search = search(config, platform);
        return new CellLink(config, search.all(Deadline.in(platform.clock(), ANSWER_NS)), search, platform);
    }

    private static SuperpeerSearch search(ClientConfig config, Platform platform) {
        return new SuperpeerSearch(config.superpeers(), nid -> network(nid, config), platform.chance(),
            platform.clock());
    }

    /**
     * Opens a connection. Nothing is sent yet. If the superpeers do not answer at their addresses in the given order,
     * {@link #refresh} looks for the present superpeers.
     *
     * @param config addresses of all superpeers, in their order, secret and TLS
     * @param platform clock, threads and random numbers
     * @return the connection
     * @throws IOException if the network cannot be opened
     */
    public static CellLink open(ClientConfig config, Platform platform) throws IOException {
        return new CellLink(config, KnownSuperpeers.of(config.superpeers()), search(config, platform), platform);
    }

    /** {@return the address of a superpeer; empty if it is unknown} */
    String address(SuperpeerRow superpeer) {
        String address = known.address(CellMessages.nid(superpeer.number()), tables.superpeers());
        return address == null ? "" : address;
    }

    /** {@return the cluster of the superpeers; unknown before the first answer} */
    ClusterId cluster() {
        return network.cluster();
    }

    private @Nullable String address(int nid) {
        NodeRow row = tables.node(nid);
        return row == null || row.address().isEmpty() ? known.address(nid, tables.superpeers()) : row.address();
    }

    /** {@return the tables, as far as {@link #refresh} has read them} */
    public Tables tables() {
        return tables;
    }

    /**
     * Reads changed rows into the tables, from the superpeer of the last answer. If this superpeer fails, or is silent
     * for half a second, the next superpeer is asked as well; the first answer counts.
     *
     * @return whether a superpeer has answered; takes at most about four seconds
     */
    public boolean refresh() {
        return refresh(Deadline.in(clock, ANSWER_NS));
    }

    /**
     * Reads changed rows from the superpeer believed to lead, else from another superpeer. A superpeer that does not
     * lead may lag.
     */
    boolean refreshAtLeader(Deadline whole) {
        last = cell.leading();
        return refresh(whole);
    }

    /** Reads changed rows as {@link #refresh()} does, within the time of a longer operation. */
    boolean refresh(Deadline whole) {
        Deadline limit = whole.part(ANSWER_NS);
        return ask(limit) || tables.superpeers().version() == 0 && isNews(limit) && ask(limit);
    }

    private boolean ask(Deadline limit) {
        CompletableFuture<TableAnswer> first = new CompletableFuture<>();
        int asked = tables.superpeers().rows().size();
        AtomicInteger failed = new AtomicInteger();
        int superpeer = tables.superpeers().row(last) == null ? tables.superpeers().after(last) : last;
        for (int i = 0; i < asked && !first.isDone(); i++) {
            int now = superpeer;
            CompletableFuture<TableAnswer> question = request(CellMessages.nid(now), CellMessages.TABLE,
                new TableRequest(tables.version()), limit.leftNs());
            var _ = question.whenComplete((answer, failure) -> {
                if (failure == null) {
                    last = now;
                    first.complete(answer);
                } else if (failed.incrementAndGet() == asked) {
                    first.completeExceptionally(failure);
                }
            });
            if (i < asked - 1) {
                await(CompletableFuture.anyOf(first, question), limit.shareNs(asked - i, HEDGE_NS));
            }
            superpeer = tables.superpeers().after(superpeer);
        }
        TableAnswer answer = await(first);
        if (answer != null) {
            tables.update(answer);
        }
        return answer != null;
    }

    /**
     * Looks for the present superpeers: the configured addresses may be those of a few, or in another order. Returns
     * whether they were found.
     */
    private boolean isNews(Deadline limit) {
        try {
            tables.know(search.all(limit).set());
        } catch (IOException e) {
            problem = FailureText.of(e);
        }
        return tables.superpeers().version() > 0;
    }

    /** Waits for the end of a future, for a time. */
    private static void await(CompletableFuture<?> future, long ns) {
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            try {
                future.get(ns, TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                interrupt.keepThrown();
            } catch (TimeoutException | ExecutionException _) {
                return;                                         // the next superpeer is asked
            }
        }
    }

    /** Begins to read changed rows, without waiting: keeps the session with the superpeers. */
    public void warm() {
        for (SuperpeerRow row : tables.superpeers().rows()) {
            var _ = request(CellMessages.nid(row.number()), CellMessages.TABLE, new TableRequest(tables.version()),
                ANSWER_NS).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        tables.update(answer);
                    }
                });
        }
    }

    /**
     * Asks a node for its status.
     *
     * @param nid the node
     * @param withZones whether zones and copies are listed
     * @return a future; the status, or null if the node does not answer within four seconds. Never fails
     */
    public CompletableFuture<@Nullable NodeStatus> status(int nid, boolean withZones) {
        return request(nid, CellMessages.STATUS, new StatusRequest(withZones), ANSWER_NS)
            .handle((status, failure) -> failure == null ? status : null);
    }

    /**
     * Asks a node for its figures.
     *
     * @param life the node
     * @return a future; null if the node does not answer within four seconds. Never fails
     */
    CompletableFuture<ClusterFigures.@Nullable Answer> figures(NodeLife life) {
        long fromNs = clock.nowNs();
        long fromMs = clock.epochMs();
        return request(life.nid(), CellMessages.FIGURES, new FiguresRequest(FiguresRequest.NOW), ANSWER_NS)
            .handle((answer, failure) -> {
                long tripNs = clock.nowNs() - fromNs;
                List<NodeFigures> moments = failure == null ? moments(answer) : null;
                return moments == null || moments.isEmpty() ? null : new ClusterFigures.Answer(life,
                    moments.getFirst(), answer.nowMs() - fromMs - TimeUnit.NANOSECONDS.toMillis(tripNs / 2),
                    TimeUnit.NANOSECONDS.toMillis(tripNs) + 1);
            });
    }

    /** Asks a node for the figures of a time; null without an answer. Never fails. */
    CompletableFuture<@Nullable FigureHistory> history(int nid, FigureHistory.Span span) {
        return request(nid, CellMessages.FIGURES, new FiguresRequest(span.ordinal()), ANSWER_NS)
            .handle((answer, failure) -> {
                List<NodeFigures> moments = failure == null ? moments(answer) : null;
                return moments == null ? null : new FigureHistory(span, moments);
            });
    }

    private static @Nullable List<NodeFigures> moments(FiguresAnswer answer) {
        try {
            return answer.moments();
        } catch (MalformedException _) {
            return null;                                        // as a node that does not answer
        }
    }

    /** Asks a node for the last lines of its log; null without an answer. Fails if this process lacks the right. */
    CompletableFuture<@Nullable List<String>> log(int nid, int lines) {
        return request(nid, CellMessages.LINES, new LinesRequest(lines), ANSWER_NS)
            .handle((answer, failure) -> CellLink.<LinesAnswer>answer(answer, failure))
            .thenApply(answer -> answer == null ? null : answer.lines());
    }

    /** Orders a node to restart; null without an answer. Fails if this process lacks the right. */
    CompletableFuture<@Nullable RestartAnswer> restart(int nid, long process) {
        return request(nid, CellMessages.RESTART, new RestartRequest(process), ANSWER_NS)
            .handle((answer, failure) -> CellLink.<RestartAnswer>answer(answer, failure));
    }

    /** Asks a node for its roles; null without an answer. Never fails. */
    CompletableFuture<@Nullable AccessAnswer> access(int nid) {
        return request(nid, CellMessages.ACCESS, new AccessRequest(1), ANSWER_NS)
            .handle((answer, failure) -> failure == null ? answer : null);
    }

    /**
     * Sends a command to the leading superpeer until there is a reply.
     *
     * @param command the command to commit
     * @param patienceNs how long to try
     * @return the reply, or null if there was no reply
     */
    public @Nullable CommandReply send(Command command, long patienceNs) {
        Deadline limit = Deadline.in(clock, patienceNs);
        do {
            CommandReply reply = joined(cell.send(command, limit.leftNs()));
            if (reply != null) {
                return reply;
            }
            clock.pause(this, Math.min(PAUSE_NS, limit.leftNs()));
        } while (!limit.isOver());
        return null;
    }

    /**
     * Sends a step of services to the leading superpeer until there is an answer.
     *
     * @param step the step, which may be done twice
     * @param patienceNs how long to try
     * @return the answer, or null
     */
    @Nullable ServiceAnswer send(RegistryStep step, long patienceNs) {
        Deadline limit = Deadline.in(clock, patienceNs);
        do {
            for (SuperpeerRow row : tables.superpeers().rows()) {
                ServiceAnswer answer = await(request(CellMessages.nid(row.number()), CellMessages.SERVICE,
                    new ServiceRequest(0, 0, step), limit.part(ANSWER_NS).leftNs()));
                if (answer != null && answer.code() >= 0) {
                    return answer;
                }
            }
            clock.pause(this, PAUSE_NS);
        } while (!limit.isOver());
        return null;
    }

    /**
     * Notes which superpeer leads, for the next command.
     *
     * @param superpeer number of the superpeer
     */
    public void leads(int superpeer) {
        cell.leads(superpeer);
    }

    /** Sends a request; the future fails if the request was not sent, as after the close. */
    <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long ns) {
        try {
            return network.request(nid, type, request, Math.max(ns, 1));
        } catch (NetworkException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for the end of a future; throws the refusal of a request. */
    static <T extends @Nullable Object> T joined(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            MissingRightException denied = Denials.in(e);
            throw denied == null ? e : denied;
        }
    }

    /** Returns the answer of a node, or null without one; throws the refusal of a request. */
    private static <T> @Nullable T answer(@Nullable T answer, @Nullable Throwable failure) {
        MissingRightException denied = Denials.in(failure);
        if (denied != null) {
            throw denied;
        }
        return failure == null ? answer : null;
    }

    private <T> @Nullable T await(CompletableFuture<T> future) {
        try {
            T answer = future.join();
            problem = "";
            return answer;
        } catch (CompletionException e) {
            problem = FailureText.of(e.getCause() == null ? e : e.getCause());
            return answer(null, e);
        }
    }

    /**
     * {@return why the last superpeer asked by {@link #refresh} did not answer; empty if the superpeer has answered}
     */
    public String problem() {
        return problem;
    }

    /** Notes why a node did not answer. */
    void failed(String why) {
        problem = why;
    }

    /** Closes the connection. Idempotent. */
    @Override
    public void close() {
        network.close();
    }
}
