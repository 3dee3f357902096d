package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.consensus.MetadataLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.lease.Promises;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.Heartbeat;
import io.teff.cluster.message.HeartbeatAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.net.Network;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * A superpeer: the replicated log, the promises to nodes, and the answers to their messages.
 *
 * <p>A duty cycle repeats what is still to be done: it announces the superpeer's life, votes against nodes whose promise
 * is over, begins a new life to end votes against nodes that speak again, and lets recoveries go on without slow backups. Commands go to
 * the leading superpeer, this one or another. Nothing is remembered of a command but that it is on its way: if its reply is
 * lost, the next cycle sends it again.
 *
 * <p>Thread-safe.
 */
public final class Superpeer implements AutoCloseable {
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long HEDGE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int number;
    private final MetadataLog log;
    private final Clock clock;
    private final long startedNs;
    private final Promises<NodeRef> promises;
    private final Hedging hedging = new Hedging(HEDGE_NS);
    private final Set<NodeRef> returned = ConcurrentHashMap.newKeySet();
    private final Set<NodeRef> forgiven = new HashSet<>();
    private final Set<Command> underWay = ConcurrentHashMap.newKeySet();
    private CellClient cell;
    private Thread thread;
    private long life = newLife();
    private boolean isAnnounced;
    private boolean isBegun;
    private volatile boolean isClosed;

    /**
     * Creates a superpeer. {@link #serve} registers its handlers, {@link #begin} begins its duty cycle.
     *
     * @param number its number, from 0
     * @param log its member of the replicated log; closed with the superpeer
     * @param terms the terms of leases
     * @param clock the clock
     */
    public Superpeer(int number, MetadataLog log, LeaseTerms terms, Clock clock) {
        this.number = number;
        this.log = log;
        this.clock = clock;
        startedNs = clock.nowNs();
        promises = new Promises<>(terms);
    }

    /**
     * Registers the handlers; for {@link Network#open}.
     *
     * @param network whose NID is that of this superpeer, and whose handlers may wait
     */
    public void serve(Network network) {
        network.answerShort(CellMessages.HEARTBEAT, (_, heartbeat) -> heartbeat(heartbeat));
        network.answer(CellMessages.COMMAND, (_, command) -> command(command));
        network.answer(CellMessages.TABLE, (_, request) -> table(request));
    }

    /**
     * Begins the duty cycle.
     *
     * @param network the open network
     * @param superpeers number of superpeers
     */
    public void begin(Network network, int superpeers) {
        cell = new CellClient(network, superpeers);
        thread = Threads.SYSTEM.create("teff-superpeer", this::run);
        thread.start();
    }

    // ---- messages ----

    private HeartbeatAnswer heartbeat(Heartbeat heartbeat) {
        NodeRef node = heartbeat.node();
        return log.read(machine -> {
            boolean isAlive = machine.isAlive(node);
            boolean isPromised = isAlive && promise(node);
            return new HeartbeatAnswer(number, heartbeat.number(), isPromised, isAlive, machine.isKnown(node),
                machine.version(), log.isLeading());
        });
    }

    private boolean promise(NodeRef node) {
        synchronized (promises) {
            if (promises.answer(node, clock.nowNs())) {
                return true;
            }
            if (promises.isVoting(node)) {
                returned.add(node);
            }
            return false;
        }
    }

    private CommandAnswer command(Command command) {
        try {
            return new CommandAnswer(log.propose(command).join());
        } catch (CompletionException _) {
            return CommandAnswer.NOT_LEADING;
        }
    }

    private TableAnswer table(TableRequest request) {
        return log.read(machine -> new TableAnswer(machine.version(), machine.nodesSince(request.since()),
            machine.zonesSince(request.since())));
    }

    // ---- the duty cycle ----

    private void run() {
        while (!isClosed) {
            cycle();
            clock.park(this, CYCLE_NS);
        }
    }

    /** Does all that is due now. */
    private void cycle() {
        if (!isAnnounced && !announce()) {
            return;
        }
        Set<NodeRef> alive = new HashSet<>();
        log.read(machine -> machine.nodesSince(-1)).stream().filter(NodeRow::isAlive)
            .forEach(row -> alive.add(row.reference()));
        returned.retainAll(alive);
        if (!returned.isEmpty()) {
            life = newLife();
            isAnnounced = false;
            forgiven.addAll(returned);
            return;
        }
        overdue(alive).forEach(node -> send(new Command.Vote(number, life, node)));
        if (log.isLeading()) {
            hedging.due(log.read(machine -> machine.zonesSince(-1)), clock.nowNs())
                .forEach(row -> send(new Command.Hedge(row.zone(), row.epoch())));
        }
    }

    /**
     * Announces a life, and returns whether this member has applied the announcement. From then on the superpeer answers,
     * also the nodes that have spoken again after it had voted against them.
     */
    private boolean announce() {
        if (log.read(machine -> machine.life(number)) != life) {
            send(new Command.SuperpeerLife(number, life));
            return false;
        }
        isAnnounced = true;
        synchronized (promises) {
            if (!isBegun) {
                promises.begin(startedNs);
                isBegun = true;
            }
            forgiven.forEach(node -> promises.withdrawn(node, clock.nowNs()));
        }
        returned.removeAll(forgiven);
        forgiven.clear();
        return true;
    }

    private static long newLife() {
        return Chance.SYSTEM.nextLong() | 1;
    }

    private List<NodeRef> overdue(Set<NodeRef> alive) {
        synchronized (promises) {
            return promises.overdue(alive, clock.nowNs());
        }
    }

    /** Sends a command to the leading superpeer, unless it is on its way already. */
    private void send(Command command) {
        if (underWay.add(command)) {
            CompletableFuture<? extends Reply> reply = log.isLeading() ? log.propose(command) : cell.send(command);
            reply.whenComplete((_, _) -> underWay.remove(command));
        }
    }

    /** {@return the metadata, read between two commands} */
    public <T> T read(Function<MetadataMachine, T> reader) {
        return log.read(reader);
    }

    /** {@return whether this superpeer leads} */
    public boolean isLeading() {
        return log.isLeading();
    }

    /** Ends the duty cycle and the member of the replicated log. Idempotent. The caller closes the network. */
    @Override
    public void close() {
        isClosed = true;
        if (thread != null) {
            Threads.join(thread);
        }
        log.close();
    }
}
