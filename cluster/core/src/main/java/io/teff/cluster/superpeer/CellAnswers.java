package io.teff.cluster.superpeer;

import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.lease.Promises;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.message.SessionBeatAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.net.Network;
import io.teff.cluster.registry.RegistryStep;
import io.teff.engine.os.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A superpeer's answers to messages of nodes, and the superpeer's promises to nodes.
 *
 * <p>While the metadata are to be rebuilt, the cell does not exist for nodes and clients: nodes and clients would
 * mistake missing metadata for zones or sessions that do not exist. So the cell takes no commands except commands of
 * the rebuild, and answers no question about tables, until all parts have arrived. Thread-safe.
 */
final class CellAnswers {
    private final int number;
    private final boolean isRebuilding;
    private final SuperpeerLog log;
    private final Clock clock;
    private final Promises<NodeRef> promises;
    private final Set<NodeRef> returned = new HashSet<>();
    /** The latest set of superpeers that each living node has named, by NID. */
    private final Map<Integer, Named> named = new ConcurrentHashMap<>();
    /** Guarded by itself. */
    private final SessionLeases leases;
    private final ServiceAnswers services;
    /** Guarded by itself. */
    private final ServiceLeases serviceLeases = new ServiceLeases();
    /** Why this superpeer belongs to another cluster than the other superpeers; null if it does not. */
    private volatile @Nullable String misfit;
    /** Whether the network of this superpeer knows the cluster. */
    private volatile boolean isFounded;

    CellAnswers(int number, SuperpeerLog log, LeaseTerms terms, Clock clock, boolean isRebuilding) {
        this(number, log, terms, SessionLeases.LEASE_NS, clock, isRebuilding);
    }

    CellAnswers(int number, SuperpeerLog log, LeaseTerms terms, long sessionNs, Clock clock, boolean isRebuilding) {
        this.number = number;
        this.isRebuilding = isRebuilding;
        this.log = log;
        this.clock = clock;
        promises = new Promises<>(terms);
        leases = new SessionLeases(sessionNs);
        services = new ServiceAnswers(log, clock, this::isServing);
    }

    /** Registers the handlers. Handlers of commands wait for the replicated log. */
    void register(Network network) {
        network.answerShort(CellMessages.HEARTBEAT, (nid, heartbeat) -> {
            checkSender(nid, heartbeat);
            return heartbeat(heartbeat);
        });
        network.answerShort(CellMessages.SESSION, (_, beat) -> session(beat));
        network.answer(CellMessages.COMMAND, (nid, command) -> {
            CellRights.check(command);
            checkSender(nid, command);
            return command(command).join();
        });
        network.answer(CellMessages.TABLE, (_, request) -> table(request));
        services.register(network);
    }

    /**
     * Refuses statements of a superpeer from any other node: votes, lives, and the identity of the cluster. The network
     * vouches for the NID of the sender as far as the configuration asks for certificates.
     */
    static void checkSender(int nid, Command command) {
        boolean isRight = switch (command) {
            case Command.Vote vote -> nid == CellMessages.nid(vote.superpeer());
            case Command.SuperpeerLife life -> nid == CellMessages.nid(life.superpeer());
            case Command.SuperpeerMoved moved -> nid == CellMessages.nid(moved.superpeer());
            case Command.Founded _, Command.Hedge _, Command.SuperpeerStands _ -> CellMessages.isSuperpeer(nid);
            // the leading superpeer proposes these by itself
            case Command.Begin _, RegistryChange _ -> false;
            default -> true;
        };
        if (!isRight) {
            throw new IllegalArgumentException("node " + nid + " is not the superpeer that may send " + command);
        }
    }

    /** Refuses heartbeats of a node from any other node. */
    private static void checkSender(int nid, Heartbeat heartbeat) {
        if (nid != heartbeat.node().nid()) {
            throw new IllegalArgumentException("node " + nid + " sends a heartbeat of " + heartbeat.node());
        }
    }

    HeartbeatAnswer heartbeat(Heartbeat heartbeat) {
        checkFits();
        NodeRef node = heartbeat.node();
        return log.read(machine -> {
            boolean isAlive = machine.isAlive(node);
            if (isAlive) {                                      // so there are no more entries than nodes
                named.merge(node.nid(), new Named(node, heartbeat.superpeers()), Named::later);
            }
            boolean isPromised = isAlive && promise(node);
            return new HeartbeatAnswer(number, heartbeat.number(), isPromised, isAlive, machine.isKnown(node),
                machine.version(), log.isLeading());
        });
    }

    private synchronized boolean promise(NodeRef node) {
        if (promises.answer(node, clock.nowNs())) {
            return true;
        }
        if (promises.isVoting(node)) {
            returned.add(node);
        }
        return false;
    }

    /** Returns whether the metadata are to be rebuilt, and not complete here. */
    boolean isUnfinished() {
        return isRebuilding && !log.read(MetadataMachine::isRebuilt);
    }

    /** Begins to answer nodes and clients, because every link from now on names the cluster. */
    void serve() {
        isFounded = true;
    }

    /** Answers nothing from now on. */
    void stop(String why) {
        misfit = why;
    }

    /** Returns why nothing is answered; null if this superpeer and the other superpeers are of one cluster. */
    @Nullable String misfit() {
        return misfit;
    }

    private void checkFits() {
        if (misfit != null) {
            throw new IllegalStateException(misfit);
        }
    }

    /** Returns whether clients of services are answered. */
    private boolean isServing() {
        return misfit == null && isFounded && !isUnfinished() && !log.needsRoom()
            && log.read(machine -> machine.superpeers().isPart(number));
    }

    private void checkCurrent() {
        checkFits();
        if (!isFounded) {
            throw new IllegalStateException("the cluster is not founded yet");
        }
        if (isUnfinished()) {
            throw new IllegalStateException("the metadata are being rebuilt, and not complete");
        }
        if (!log.read(machine -> machine.superpeers().isPart(number))) {
            throw new IllegalStateException("this superpeer was removed, and its metadata are old");
        }
        if (log.needsRoom()) {
            throw new IllegalStateException("the disk of this superpeer is full, and its metadata are old");
        }
    }

    /**
     * Proposes a command. Never fails: if this superpeer does not lead, or takes no such command yet, the answer says
     * so.
     */
    CompletableFuture<CommandAnswer> command(Command command) {
        boolean isOfSuperpeers = command instanceof Command.SuperpeerLife
            || command instanceof Command.ZonesRebuilt || command instanceof Command.Founded;
        if (misfit != null || !isOfSuperpeers && (isUnfinished() || !isFounded)) {
            return CompletableFuture.completedFuture(CommandAnswer.NOT_LEADING);
        }
        return log.propose(command).handle((reply, failure) ->
            failure == null ? new CommandAnswer(reply) : CommandAnswer.NOT_LEADING);
    }

    /** Returns rows; throws if the rows are being rebuilt, or old. An exception is no answer for the asking node. */
    TableAnswer table(TableRequest request) {
        checkCurrent();
        return log.read(machine -> new TableAnswer(machine.version(), machine.nodesSince(request.since()),
            machine.zonesSince(request.since()), machine.sessionsSince(request.since()),
            machine.superpeersSince(request.since()), machine.settings().backups(),
            machine.settings().scatterWidth()));
    }

    /** Returns whether all nodes need a majority of a set of superpeers, or of a later set. */
    boolean allKnow(Collection<NodeRef> alive, long version) {
        return alive.stream().allMatch(node -> {
            Named last = named.get(node.nid());
            return last != null && last.node().equals(node) && last.version() >= version;
        });
    }

    /** The latest version of the set of superpeers that a life of a node has named. */
    private record Named(NodeRef node, long version) {
        Named later(Named next) {
            return next.node().equals(node) && next.version() < version ? this : next;
        }
    }

    // ---- sessions of clients ----

    /** Hears of a session; throws like {@link #table}. */
    SessionBeatAnswer session(SessionBeat beat) {
        checkCurrent();
        final long nowNs = watchedNs();
        synchronized (leases) {
            leases.heard(beat.session(), nowNs);
        }
        return log.read(machine -> new SessionBeatAnswer(beat.session(), machine.hasEnded(beat.session())));
    }

    /** Returns the sessions with an expired lease. */
    List<Integer> overdueSessions() {
        final List<Integer> open = log.read(MetadataMachine::openSessions);
        final long nowNs = watchedNs();
        synchronized (leases) {
            return leases.overdue(open, nowNs);
        }
    }

    // ---- services ----

    /** Returns the answers to clients of services. */
    ServiceAnswers services() {
        return services;
    }

    /** Looks at the registry, and returns the steps that end what has not been renewed. */
    List<RegistryStep> overdueServices() {
        final long nowNs = watchedNs();
        synchronized (serviceLeases) {
            serviceLeases.leads(log.isLeading());
            log.read(machine -> {
                serviceLeases.look(machine.registry(), nowNs);
                return true;
            });
            return serviceLeases.overdue(nowNs);
        }
    }

    // ---- the promises, for the duty cycle ----

    /** Begins to promise, a term after a time. */
    synchronized void begin(long startedNs) {
        promises.begin(startedNs);
    }

    /** Returns the nodes against which the superpeer votes. */
    synchronized List<NodeRef> overdue(Collection<NodeRef> alive, Set<NodeRef> contested) {
        return promises.overdue(alive, contested, clock.nowNs(), TimeUnit.MILLISECONDS.toNanos(clock.epochMs()));
    }

    /**
     * Returns the time during which the superpeer has watched: this time stands still while the superpeer does not run.
     */
    synchronized long watchedNs() {
        return promises.watchedNs();
    }

    /** Returns the nodes that sent heartbeats although the superpeer votes against these nodes. */
    synchronized Set<NodeRef> returned(Collection<NodeRef> alive) {
        returned.retainAll(alive);
        return Set.copyOf(returned);
    }

    /** Promises to nodes again: the votes against these nodes do not count any more. */
    synchronized void forgive(Set<NodeRef> nodes) {
        nodes.forEach(node -> promises.withdrawn(node, clock.nowNs()));
        returned.removeAll(nodes);
    }
}
