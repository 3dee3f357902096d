package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.consensus.MetadataLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A superpeer: a member of the replicated log, the promises to nodes, and the answers to their messages.
 *
 * <p>A duty cycle repeats what is still to be done: it announces the superpeer's life, votes against nodes whose
 * promise is over, begins a new life to end votes against nodes that speak again, and lets recoveries go on without
 * slow backups. Commands go to the leading superpeer, this one or another. Nothing is remembered of a command but that
 * it is on its way: if its reply is lost, the next cycle sends it again.
 *
 * <p>Thread-safe.
 */
public final class Superpeer implements AutoCloseable {
    private static final long CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long HEDGE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int number;
    private final MetadataLog log;
    private final Clock clock;
    private final CellAnswers answers;
    private final Network network;
    private final CellClient cell;
    private final long startedNs;
    private final Hedging hedging = new Hedging(HEDGE_NS);
    private final Set<Command> underWay = ConcurrentHashMap.newKeySet();
    private final Thread thread;
    private long life = newLife();
    private volatile boolean isAnnounced;
    private boolean isBegun;
    private Set<NodeRef> forgiven = Set.of();
    private volatile boolean isClosed;

    private Superpeer(int number, int superpeers, MetadataLog log, Clock clock, CellAnswers answers, Network network) {
        this.number = number;
        this.log = log;
        this.clock = clock;
        this.answers = answers;
        this.network = network;
        cell = new CellClient(network, superpeers, number);
        startedNs = clock.nowNs();
        thread = Threads.SYSTEM.create("teff-superpeer", this::run);
    }

    /**
     * Starts a superpeer.
     *
     * @param number its number, from 0
     * @param superpeers number of superpeers
     * @param config configuration of its network, with the NID of this superpeer and handlers that may wait
     * @param log its member of the replicated log; closed with the superpeer
     * @param terms the terms of leases
     * @param clock the clock
     * @return the superpeer
     * @throws IOException if the network cannot be opened; the log is left open
     */
    public static Superpeer start(int number, int superpeers, NetworkConfig config, MetadataLog log, LeaseTerms terms,
                                  Clock clock) throws IOException {
        return start(number, superpeers, config, log, terms, clock, _ -> {});
    }

    /**
     * Starts a superpeer that answers further messages.
     *
     * @param number its number, from 0
     * @param superpeers number of superpeers
     * @param config configuration of its network, with the NID of this superpeer and handlers that may wait
     * @param log its member of the replicated log; closed with the superpeer
     * @param terms the terms of leases
     * @param clock the clock
     * @param handlers registers further handlers
     * @return the superpeer
     * @throws IOException if the network cannot be opened; the log is left open
     */
    public static Superpeer start(int number, int superpeers, NetworkConfig config, MetadataLog log, LeaseTerms terms,
                                  Clock clock, Consumer<Network> handlers) throws IOException {
        CellAnswers answers = new CellAnswers(number, log, terms, clock);
        Network network = Network.open(config, opened -> {
            answers.register(opened);
            handlers.accept(opened);
        });
        Superpeer superpeer = new Superpeer(number, superpeers, log, clock, answers, network);
        superpeer.thread.start();
        return superpeer;
    }

    private void run() {
        while (!isClosed) {
            try {
                cycle();
            } catch (RuntimeException e) {                      // the next cycle looks at the tables anew
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
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
        Set<NodeRef> returned = answers.returned(alive);
        if (!returned.isEmpty()) {
            life = newLife();
            isAnnounced = false;
            forgiven = returned;
            return;
        }
        answers.overdue(alive).forEach(node -> send(new Command.Vote(number, life, node)));
        if (log.isLeading()) {
            hedging.due(log.read(machine -> machine.zonesSince(-1)), clock.nowNs())
                .forEach(row -> send(new Command.Hedge(row.zone(), row.epoch())));
        }
    }

    /**
     * Announces a life, and returns whether this member has applied the announcement. From then on the superpeer
     * answers, also the nodes that have spoken again after it had voted against them.
     */
    private boolean announce() {
        if (log.read(machine -> machine.life(number)) != life) {
            send(new Command.SuperpeerLife(number, life));
            return false;
        }
        isAnnounced = true;
        if (!isBegun) {
            answers.begin(startedNs);
            isBegun = true;
        }
        answers.forgive(forgiven);
        forgiven = Set.of();
        return true;
    }

    private static long newLife() {
        return Chance.SYSTEM.nextLong() | 1;
    }

    /** Sends a command to the leading superpeer, unless it is on its way already. */
    private void send(Command command) {
        if (underWay.add(command)) {
            CompletableFuture<? extends Reply> reply = log.isLeading() ? log.propose(command) : cell.send(command);
            var _ = reply.whenComplete((_, _) -> underWay.remove(command));
        }
    }

    /**
     * Reads the metadata between two commands.
     *
     * @param reader reads; must not keep the machine, and must not block
     * @return the reader's result
     * @param <T> type of the result
     */
    public <T> T read(Function<MetadataMachine, T> reader) {
        return log.read(reader);
    }

    /** {@return whether this superpeer leads} */
    public boolean isLeading() {
        return log.isLeading();
    }

    /** {@return whether the cell has applied the announcement of this superpeer's current life} */
    public boolean isAnnounced() {
        return isAnnounced;
    }

    /** Ends the superpeer. Idempotent. */
    @Override
    public void close() {
        isClosed = true;
        Threads.join(thread);
        network.close();
        log.close();
    }
}
