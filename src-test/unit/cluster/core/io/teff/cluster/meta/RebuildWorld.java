package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.cluster.net.identity.ClusterId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A zone of a cluster with four peers: the real machine, and a model of what the logs of its copies have. A change is
 * its number: a number names one change.
 */
final class RebuildWorld {
    private static final ClusterId CLUSTER = new ClusterId(1, 2, "orders");
    static final int PEERS = 4;
    private static final long EPOCH = 1L << ZoneRow.EPOCH_SHIFT;

    final MetadataMachine machine;
    final List<NodeRef> lives;
    /** Changes of each copy by its node and number. */
    final Map<Held, TreeSet<Long>> logs;
    /** Changes in the owner's memory; null if no owner serves. */
    @Nullable TreeSet<Long> memory;
    final TreeSet<Long> acknowledged;
    /** The tables after each command. */
    final List<KnownTables> tables;
    /** Of each peer, the tables that it has known last; -1 while it lives. */
    final int[] ended;

    record Held(int nid, int copy) {}

    private RebuildWorld(MetadataMachine machine, List<NodeRef> lives, Map<Held, TreeSet<Long>> logs,
                         @Nullable TreeSet<Long> memory, TreeSet<Long> acknowledged, List<KnownTables> tables,
                         int[] ended) {
        this.machine = machine;
        this.lives = lives;
        this.logs = logs;
        this.memory = memory;
        this.acknowledged = acknowledged;
        this.tables = tables;
        this.ended = ended;
    }

    /** Returns a zone with owner 0, and backups 1 and 2, whose logs have two changes. */
    static RebuildWorld begin() {
        RebuildWorld world = new RebuildWorld(new MetadataMachine(MachineState.initial(new MachineState.Settings(1,
            2))), new ArrayList<>(), new HashMap<>(), new TreeSet<>(), new TreeSet<>(), new ArrayList<>(),
            new int[] {-1, -1, -1, -1});
        for (int i = 0; i < PEERS; i++) {
            world.lives.add(world.join(i));
        }
        world.apply(new Command.NewZones(world.lives.getFirst(), 1, 1));
        world.row().backups().forEach(world::log);
        world.changeAll();
        world.changeAll();
        return world;
    }

    RebuildWorld copy() {
        Map<Held, TreeSet<Long>> copies = new HashMap<>();
        logs.forEach((held, changes) -> copies.put(held, new TreeSet<>(changes)));
        return new RebuildWorld(new MetadataMachine(machine.state()), new ArrayList<>(lives), copies,
            memory == null ? null : new TreeSet<>(memory), new TreeSet<>(acknowledged), new ArrayList<>(tables),
            ended.clone());
    }

    /** Returns the world after a rebuild: nothing but folders, and the cell that was made of them. */
    RebuildWorld rebuilt(RebuildPlan plan) {
        RebuildWorld next = new RebuildWorld(new MetadataMachine(MachineState.initial(new MachineState.Settings(1,
            2))), new ArrayList<>(lives), copy().logs, null, acknowledged, new ArrayList<>(tables), ended.clone());
        plan.commands(7).forEach(part -> assertEquals(new CommandReply.Done(), next.machine.apply(part)));
        next.machine.audit();
        assertEquals(next.machine.state(), new MetadataMachine(next.machine.state()).state());
        return next;
    }

    ZoneRow row() {
        ZoneRow row = machine.zone(1);
        assertTrue(row != null);
        return row;
    }

    CommandReply apply(Command command) {
        CommandReply reply = machine.apply(command);
        machine.audit();
        tables.add(new KnownTables(machine.version(), 1, machine.nodesSince(-1), machine.zonesSince(-1)));
        return reply;
    }

    private NodeRef join(int peer) {
        return ((CommandReply.Joined) apply(new Command.Join(new UUID(1, peer), machine.version() + 1, "loop:" + peer,
            Roles.PEER))).node();
    }

    TreeSet<Long> log(Backup backup) {
        return logs.computeIfAbsent(new Held(backup.node().nid(), backup.copy()), _ -> new TreeSet<>());
    }

    static long last(TreeSet<Long> changes) {
        return changes.isEmpty() ? 0 : changes.last();
    }

    // ---- events: each returns whether it is possible ----

    private long next() {
        return row().epoch() * EPOCH + (last(memory()) & EPOCH - 1) + 1;
    }

    private TreeSet<Long> memory() {
        assertTrue(memory != null);
        return memory;
    }

    private boolean isServed() {
        return memory != null && row().state().isServed() && !row().receivers().isEmpty();
    }

    /**
     * A change that all backups log, and that is acknowledged, with all before it. A zone without a backup acknowledges
     * nothing while a kept copy lacks the change.
     */
    boolean changeAll() {
        if (!isServed()) {
            return false;
        }
        boolean isAcknowledged = row().kept().isEmpty()
            || apply(new Command.DoWithout(1, row().epoch())) instanceof CommandReply.Done;
        memory().add(next());
        row().receivers().forEach(backup -> ship(backup, memory()));
        if (isAcknowledged) {
            acknowledged.addAll(memory());
        }
        return true;
    }

    /** A change that only the last backup logs. */
    boolean changeOne() {
        if (!isServed() || row().receivers().size() < 2) {
            return false;
        }
        memory().add(next());
        ship(row().receivers().getLast(), memory());
        return true;
    }

    /** Ships what a backup lacks behind its last change; a learner begins with an empty copy behind its base. */
    private void ship(Backup backup, TreeSet<Long> from) {
        TreeSet<Long> log = log(backup);
        log.addAll(log.isEmpty() && row().learners().contains(backup) ? from.tailSet(from.last())
            : from.tailSet(last(log), false));
    }

    /** A peer ends; the candidates report, or only the first one if the others are slow. */
    boolean end(@Nullable NodeRef node, boolean isHedged) {
        if (node == null || !machine.isAlive(node)) {
            return false;
        }
        ended[lives.indexOf(node)] = tables.size() - 1;
        if (row().isOwnedBy(node)) {
            memory = null;
        }
        apply(new Command.Ended(node));
        recover(isHedged);
        return true;
    }

    @Nullable NodeRef backup(int number) {
        return number < row().backups().size() ? row().backups().get(number).node() : null;
    }

    boolean giveUp() {
        NodeRef first = backup(0);
        return isServed() && first != null && row().backups().size() > 1
            && apply(new Command.BackupFailed(1, row().epoch(), first)) instanceof CommandReply.Done;
    }

    boolean learn() {
        return isServed() && row().learners().isEmpty()
            && apply(new Command.AddBackup(1, row().epoch())) instanceof CommandReply.Done;
    }

    /** The owner has recorded the zone once more, as changes; the learner has it, and becomes a backup. */
    boolean learned() {
        if (!isServed() || row().learners().isEmpty()) {
            return false;
        }
        Backup learner = row().learners().getFirst();
        changeAll();
        log(learner).addAll(memory());
        return apply(new Command.Learned(1, row().epoch(), learner.node())) instanceof CommandReply.Done;
    }

    /** The first peer that has ended begins another life. */
    boolean start() {
        for (int i = 0; i < PEERS; i++) {
            if (ended[i] >= 0) {
                start(i);
                return true;
            }
        }
        return false;
    }

    void start(int peer) {
        lives.set(peer, join(peer));
        ended[peer] = -1;
        returned(peer);
        recover(false);
    }

    /** Offers the copy of an earlier life to a zone that waits for it. */
    private void returned(int peer) {
        NodeRef life = lives.get(peer);
        Backup kept = row().state() == ZoneState.WAITING ? row().keptBefore(life) : null;
        if (kept != null) {
            apply(new Command.Returned(1, row().epoch(), life, kept.copy(), last(log(new Backup(life, kept.copy()))),
                CopyState.WHOLE));
        }
    }

    /** Plays a recovery to its end. */
    void recover(boolean isHedged) {
        if (row().state() == ZoneState.FENCING) {
            for (Backup backup : row().backups()) {
                if (row().state() == ZoneState.FENCING) {
                    apply(new Command.Fenced(1, row().epoch(), backup.node(), last(log(backup))));
                }
                if (isHedged && row().state() == ZoneState.FENCING) {
                    apply(new Command.Hedge(1, row().epoch()));
                }
            }
        }
        NodeRef owner = row().owner();
        if (row().state() == ZoneState.RESTORING && owner != null) {
            Backup own = row().keptOf(owner);
            assertTrue(own != null);
            TreeSet<Long> restored = new TreeSet<>(log(own));
            row().backups().forEach(backup -> ship(backup, restored));
            memory = restored;
            apply(new Command.Owned(1, row().epoch(), owner));
        }
    }

    // ---- reports ----

    /**
     * Returns what the folders of peers say.
     *
     * @param peers a bit for each peer that is reported
     * @param lag by how many commands the tables of a peer lag behind
     */
    List<FolderReport> reports(int peers, int lag) {
        List<FolderReport> reports = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            if ((peers & 1 << i) != 0) {
                int nid = lives.get(i).nid();
                List<CopyReport> copies = new ArrayList<>();
                logs.forEach((held, changes) -> {
                    if (held.nid() == nid && !changes.isEmpty()) {
                        copies.add(new CopyReport(1, held.copy(), changes.last(), false));
                    }
                });
                reports.add(new FolderReport("peer-" + i, new UUID(1, i), CLUSTER, lives.get(i).incarnation(), copies,
                    tables.get(known(i, lag))));
            }
        }
        return reports;
    }

    /** Returns the number of the tables that a peer has kept. */
    int known(int peer, int lag) {
        return Math.max(0, ended[peer] >= 0 ? Math.min(ended[peer], tables.size() - 1 - lag) : tables.size() - 1 - lag);
    }
}
