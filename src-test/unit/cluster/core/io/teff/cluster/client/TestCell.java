package io.teff.cluster.client;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.message.SessionBeatAnswer;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The metadata of a cluster, kept by one superpeer that answers questions for tables, and takes commands of a test. */
final class TestCell implements AutoCloseable {
    private static final AtomicInteger CELLS = new AtomicInteger();

    final int number = CELLS.incrementAndGet();
    /** Commands that clients have sent. */
    final AtomicInteger commands = new AtomicInteger();
    /** NIDs that have asked for tables, in the order of their first question. */
    final Set<Integer> askers = Collections.synchronizedSet(new LinkedHashSet<>());
    private final MetadataMachine machine;
    private final Network network;
    private long request;
    private TableAnswer frozen;

    TestCell() throws IOException {
        this(1);
    }

    /** Begins with zones that were given before, of which it has no rows. */
    TestCell(int nextZone) throws IOException {
        MachineState initial = MachineState.initial(new MachineState.Settings(1, 5));
        machine = new MetadataMachine(new MachineState(initial.settings(), initial.version(), nextZone,
            initial.nodes(), initial.zones(), initial.votes(), initial.lives(), initial.sessionsVersion(),
            initial.lastSession(), initial.sessions()));
        network = Network.open(NetworkConfig.builder(CellMessages.nid(0)).listen(address()).build(),
            it -> {
                it.answer(CellMessages.TABLE, (from, asked) -> {
                    askers.add(from);
                    return tables(asked.since());
                });
                it.answer(CellMessages.SESSION, (_, beat) ->
                    new SessionBeatAnswer(beat.session(), hasEnded(beat.session())));
                it.answer(CellMessages.COMMAND, (_, command) -> {
                    commands.incrementAndGet();
                    return new CommandAnswer(apply(command));
                });
            });
    }

    String address() {
        return "loop:test-cell-" + number;
    }

    private synchronized TableAnswer tables(long since) {
        if (frozen != null) {
            return frozen;
        }
        return new TableAnswer(machine.version(), machine.nodesSince(since), machine.zonesSince(since),
            machine.sessionsSince(since), machine.superpeersSince(since), 2, 0);
    }

    /** Answers with no newer rows from now on, as a superpeer that lags behind. */
    synchronized void freeze() {
        frozen = new TableAnswer(machine.version(), List.of(), List.of(), null, null, 2, 0);
    }

    /** Answers with all rows again. */
    synchronized void thaw() {
        frozen = null;
    }

    synchronized ZoneRow row(int zone) {
        return machine.zonesSince(-1).stream().filter(row -> row.zone() == zone).findFirst().orElseThrow();
    }

    /** Makes a backup of a zone its owner, as if the old owner had failed. */
    synchronized ZoneRow fail(NodeRef old, int zone, NodeRef next) {
        apply(new Command.Ended(old));
        ZoneRow row = row(zone);
        row.backups().forEach(backup -> apply(new Command.Fenced(zone, row.epoch(), backup.node(),
            backup.node().equals(next) ? 1 : 0)));
        apply(new Command.Owned(zone, row(zone).epoch(), next));
        return row(zone);
    }

    synchronized boolean hasEnded(int session) {
        return machine.hasEnded(session);
    }

    synchronized int sessions() {
        return machine.openSessions().size();
    }

    /** Ends all sessions, as if no superpeer had heard of them. */
    synchronized void endSessions() {
        machine.openSessions().forEach(session -> apply(new Command.ClientGone(session)));
    }

    synchronized CommandReply apply(Command command) {
        CommandReply reply = machine.apply(command);
        machine.audit();
        return reply;
    }

    /** Adds a peer that listens at an address with its NID at the end. */
    synchronized NodeRef join(String addressPrefix) {
        int next = 16 + (int) machine.nodesSince(-1).stream().filter(row -> row.nid() >= 16).count();
        CommandReply reply = apply(new Command.Join(new UUID(number, next), next, addressPrefix + next, Roles.PEER));
        return ((CommandReply.Joined) reply).node();
    }

    /** Gives zones to a peer, and returns the first. */
    synchronized int zones(NodeRef node, int count) {
        return ((CommandReply.Zones) apply(new Command.NewZones(node, ++request, count))).first();
    }

    @Override
    public void close() {
        network.close();
    }
}
