package io.teff.cluster.superpeer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.registry.RegistryStep;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The duty cycle of a superpeer. The superpeer announces its life, votes against nodes with an expired promise, and
 * lets recoveries continue without slow backups. The leading superpeer gives a new cluster its identity, and does the
 * steps of a change of the superpeers. The superpeer begins a new life to end votes against nodes that send heartbeats
 * again. The superpeer also begins a new life when an announcement of another process has ended the current life.
 *
 * <p>Commands go to the leading superpeer, this or another superpeer. Of a command only the fact that the command is on
 * its way is remembered: if the reply is lost, the next cycle sends the command again. Called by one thread;
 * {@link #isAnnounced} by any.
 */
final class SuperpeerDuty {
    private static final long HEDGE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final int number;
    private final String address;
    private final SuperpeerLog log;
    private final Chance chance;
    private final CellAnswers answers;
    private final CellClient cell;
    private final ClusterId expected;
    private final long startedNs;
    private final Hedging hedging = new Hedging(HEDGE_NS);
    private final Set<Command> underWay = ConcurrentHashMap.newKeySet();
    private long life;
    private volatile boolean isAnnounced;
    private boolean isBegun;
    private int restarts;
    private Set<NodeRef> forgiven = Set.of();
    /** The identity that this superpeer gives to a new cluster. */
    private ClusterId drawn = ClusterId.NONE;

    // ---- of the tables, in a version ----
    private long version = -1;
    /** The life of this superpeer that counts. */
    private long current;
    private ClusterId cluster = ClusterId.NONE;
    private SuperpeerSet superpeers = SuperpeerSet.NONE;
    private final Set<NodeRef> alive = new HashSet<>();
    private final Set<NodeRef> contested = new HashSet<>();
    /** Zones whose recovery can continue without the reports of all candidates. */
    private List<ZoneRow> undecided = List.of();

    /**
     * Makes the duty of a superpeer.
     *
     * @param address of the superpeer, for the tables; empty for none
     */
    SuperpeerDuty(int number, String address, SuperpeerLog log, ClusterId expected, Clock clock, Chance chance,
                  CellAnswers answers, CellClient cell) {
        this.expected = expected;
        this.number = number;
        this.address = address;
        this.log = log;
        this.chance = chance;
        this.answers = answers;
        this.cell = cell;
        startedNs = clock.nowNs();
        life = newLife();
    }

    /** Does all due work. */
    void cycle() {
        if (log.restarts() != restarts) {                       // acts again after catching up
            restarts = log.restarts();
            beginLife();
        }
        if (!log.isMember() || log.needsRoom()) {
            return;
        }
        log.read(this::look);
        final SuperpeerRow own = superpeers.row(number);
        if (own == null) {                                      // removed, or not added yet
            return;
        }
        if (isAnnounced && current != life) {                   // ended by another announcement
            beginLife();
        }
        if (!isAnnounced && !announce()) {
            return;
        }
        if (!cluster.isKnown()) {
            found();
        }
        if (!address.isEmpty() && !own.address().equals(address)) {
            send(new Command.SuperpeerMoved(number, life, address));
        }
        Set<NodeRef> returned = answers.returned(alive);
        if (!returned.isEmpty()) {
            beginLife();
            forgiven = returned;
            return;
        }
        answers.overdue(alive, contested).forEach(node -> send(new Command.Vote(number, life, node)));
        final List<Integer> overdue = answers.overdueSessions();
        final List<RegistryStep> overdueServices = answers.overdueServices();
        answers.services().wake();
        if (log.isLeading()) {
            superpeers.rows().forEach(this::change);
            overdue.forEach(session -> send(new Command.ClientGone(session)));
            overdueServices.forEach(step -> send(new RegistryChange(step)));
            hedging.due(undecided, answers.watchedNs())
                .forEach(row -> send(new Command.Hedge(row.zone(), row.epoch())));
        }
    }

    /** Looks at the tables if the tables have changed; returns the version of the tables. */
    private long look(MetadataMachine machine) {
        current = machine.life(number);
        cluster = machine.cluster();
        superpeers = machine.superpeers();
        if (machine.version() != version) {
            version = machine.version();
            alive.clear();
            contested.clear();
            for (NodeRow row : machine.nodesSince(-1)) {
                if (row.isAlive()) {
                    alive.add(row.reference());
                }
                if (row.isContested()) {
                    contested.add(row.reference());
                }
            }
            undecided = machine.zonesSince(-1).stream().filter(ZoneRow::canGoOn).toList();
        }
        return version;
    }

    /** Does the next step if a superpeer is being added or removed. */
    private void change(SuperpeerRow row) {
        final Standing next = switch (row.standing()) {
            case ENTERING -> log.isVoter(row.number()) && allKnow() ? Standing.COUNTING : row.standing();
            case LEAVING -> allKnow() ? Standing.LEFT : row.standing();
            case LEFT -> log.remove(row.number()) ? Standing.GONE : row.standing();
            case COUNTING, GONE -> row.standing();
        };
        if (next != row.standing()) {
            send(new Command.SuperpeerStands(row.number(), superpeers.version(), next));
        }
    }

    private boolean allKnow() {
        return answers.allKnow(alive, superpeers.version());
    }

    /**
     * Announces a life, and returns whether this member has applied the announcement. From then on the superpeer
     * answers all nodes, including nodes it had voted against that sent heartbeats again.
     */
    private boolean announce() {
        if (current != life) {
            send(new Command.SuperpeerLife(number, current, life));
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

    /** Gives the cluster an identity, if this superpeer leads. A rebuild has the identity of the folders. */
    private void found() {
        if (!log.isLeading() || answers.isUnfinished()) {
            return;
        }
        if (expected.isKnown()) {
            answers.stop("the superpeers have lost the metadata of " + expected
                + ": ./teff cluster rebuild makes them anew from the folders of the peers");
            return;
        }
        if (!drawn.isKnown()) {
            drawn = new ClusterId(chance.nextLong(), chance.nextLong() | 1, expected.name());
        }
        send(new Command.Founded(drawn));
    }

    private void beginLife() {
        life = newLife();
        isAnnounced = false;
    }

    private long newLife() {
        return chance.nextLong() | 1;
    }

    /** Sends a command to the leading superpeer, unless the command is on its way already. */
    private void send(Command command) {
        if (underWay.add(command)) {
            CompletableFuture<? extends CommandReply> reply =
                log.isLeading() ? log.propose(command) : cell.send(command);
            var _ = reply.whenComplete((_, _) -> underWay.remove(command));
        }
    }

    /** Returns whether the cell has applied the announcement of the current life. */
    boolean isAnnounced() {
        return isAnnounced;
    }
}
