package io.teff.cluster.zone;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.CopyState;
import io.teff.cluster.meta.Hindrance;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.UnloadNode;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of one superpeer and three peers with one zone that holds one value, as a state with its possible events.
 *
 * <p>The value is the number of the last change. A change is acknowledged to its client when the owner may serve and
 * all its backups have the change; a read is answered under the same conditions. The oracle: a number that was
 * acknowledged or read is never followed by the read of a lower one, at most one peer serves at a time, and no number
 * and order of deaths loses the zone, because all disks are there.
 *
 * <p>A learner's log begins with holes for the changes that it does not need. The recording of the zone is one more
 * change of the value. A peer whose log ends with a hole does not have the value, so it must not become the owner.
 */
final class ZoneModel {
    private static final int PEERS = 3;

    private final Bounds bounds;
    private MetadataMachine machine;                             // shared by copies until a command changes it
    private final Peer[] peers = new Peer[PEERS];
    private final TreeSet<String> wire = new TreeSet<>();
    private int writes;
    private int crashes;
    private int leases;
    private int failures;
    private int refills;
    private int resumes;
    private int begins;
    private int hindrances;
    private int starts;
    private int moves;
    private int unloads;
    private long floor;

    /**
     * How often each kind of event may happen.
     *
     * @param writes changes
     * @param crashes ends of processes
     * @param leases leases that are lost while the process goes on
     * @param failures backups that the owner gives up
     * @param messages most messages on the wire
     * @param refills learners
     * @param hindrances owners that cannot restore, now or at all
     * @param moves claims of the zone by peers that own none
     * @param starts lives that begin with the disk of an earlier one
     * @param backups backups of the zone
     * @param unloads peers that a person unloads
     */
    record Bounds(int writes, int crashes, int leases, int failures, int messages, int refills, int hindrances,
                  int moves, int starts, int backups, int unloads) {
        Bounds(int writes, int crashes, int leases, int failures, int messages) {
            this(writes, crashes, leases, failures, messages, 0, 0);
        }

        Bounds(int writes, int crashes, int leases, int failures, int messages, int refills, int hindrances) {
            this(writes, crashes, leases, failures, messages, refills, hindrances, 0);
        }

        Bounds(int writes, int crashes, int leases, int failures, int messages, int refills, int hindrances,
               int moves) {
            this(writes, crashes, leases, failures, messages, refills, hindrances, moves, 0, PEERS - 1, 0);
        }

        /** Returns bounds for ends and starts of processes. */
        static Bounds coldStart(int backups, int writes, int crashes, int leases, int starts) {
            return new Bounds(writes, crashes, leases, 0, 1, 0, 0, 0, starts, backups, 0);
        }

        /** Returns bounds for a peer that is unloaded: the owner, the only backup, or the third peer. */
        static Bounds unload(int writes, int crashes, int messages, int refills, int moves) {
            return new Bounds(writes, crashes, 0, 0, messages, refills, 0, moves, 0, 1, 1);
        }
    }

    /** A peer. Its log is the numbers of the changes in it: position i holds counter i + 1. */
    private static final class Peer {
        private NodeRef node;
        private boolean isUp = true;
        private boolean hasLease = true;
        private boolean isReported;
        private @Nullable ZoneRow row;
        private @Nullable ZoneOwner owner;
        private @Nullable ZoneBackup backup;
        private List<Long> log = new ArrayList<>();
        /** Of an owner that has restored the zone: its copy on the disk. Else the disk has the log. */
        private @Nullable List<Long> disk;
        /** Number of the copy that the log is; 0 for one that is none. */
        private int copy;
        /** Of an owner: its learner, the number of the last change that this one does not need, and the recording. */
        private @Nullable Backup learner;
        private long base;
        private long recorded;
        /** Of an owner: whether its learner has an earlier copy; the base is the last change that this one needs. */
        private boolean isResumed;
        /** Of an owner: whether it serves no more, so that the heir can own the zone, and the epoch of that. */
        private boolean isPaused;
        private int pausedEpoch;

        private long last() {
            return log.isEmpty() ? 0 : log.getLast();
        }

        private Peer copy() {
            Peer copy = new Peer();
            copy.node = node;
            copy.isUp = isUp;
            copy.hasLease = hasLease;
            copy.isReported = isReported;
            copy.row = row;
            copy.owner = owner;
            copy.backup = backup;
            copy.log = new ArrayList<>(log);
            copy.disk = disk;
            copy.copy = this.copy;
            copy.learner = learner;
            copy.base = base;
            copy.recorded = recorded;
            copy.isResumed = isResumed;
            copy.isPaused = isPaused;
            copy.pausedEpoch = pausedEpoch;
            return copy;
        }

        private void text(StringBuilder text, ZoneRow newest) {
            text.append(isUp ? 'u' : 'd').append(hasLease ? 'l' : 'n').append(isReported ? 'r' : '-');
            if (row != null && row.version() == newest.version()) {
                text.append('*');
            } else if (row != null) {
                zoneText(text, row);
            }
            if (owner != null) {
                text.append('o').append(owner.committed());
                owner.backups().forEach(progress -> text.append('/').append(progress.logged()));
            }
            if (backup != null) {
                text.append('b').append(backup.epoch()).append('@').append(backup.last()).append('c')
                    .append(backup.copy());
            }
            if (learner != null) {
                text.append('l').append(learner.copy()).append('/').append(base).append('/').append(recorded);
            }
            if (isPaused) {
                text.append('p').append(pausedEpoch);
            }
            text.append(this.copy).append(log).append(node.incarnation()).append(disk == null ? "" : disk);
        }
    }

    private ZoneModel(Bounds bounds, MetadataMachine machine) {
        this.bounds = bounds;
        this.machine = machine;
    }

    static ZoneModel initial(Bounds bounds) {
        ZoneModel model = new ZoneModel(bounds, new MetadataMachine(MachineState.initial(
            new MachineState.Settings(1, bounds.backups()))));
        for (int i = 0; i < PEERS; i++) {
            model.peers[i] = new Peer();
            CommandReply reply = model.machine.apply(new Command.Join(new UUID(0, i), i, "", Roles.PEER));
            model.peers[i].node = ((CommandReply.Joined) reply).node();
        }
        model.machine.apply(new Command.NewZones(model.peers[0].node, 1, bounds.moves() == 0 ? 1 : 3));
        for (Peer peer : model.peers) {
            model.learn(peer);
        }
        return model;
    }

    ZoneModel copy() {
        ZoneModel copy = new ZoneModel(bounds, machine);
        for (int i = 0; i < PEERS; i++) {
            copy.peers[i] = peers[i].copy();
        }
        copy.wire.addAll(wire);
        copy.writes = writes;
        copy.crashes = crashes;
        copy.leases = leases;
        copy.failures = failures;
        copy.refills = refills;
        copy.resumes = resumes;
        copy.begins = begins;
        copy.hindrances = hindrances;
        copy.starts = starts;
        copy.moves = moves;
        copy.unloads = unloads;
        copy.floor = floor;
        return copy;
    }

    String text() {
        StringBuilder text = new StringBuilder(200);
        zoneText(text, zone());
        text.append(writes).append(crashes).append(leases).append(failures).append(refills).append(resumes)
            .append(begins)
            .append(hindrances).append(moves).append(starts).append(unloads).append(floor).append(wire);
        for (int zone = 2; machine.zone(zone) != null; zone++) {    // only their numbers count, for the balance
            NodeRef owner = machine.zone(zone).nextOwner();
            text.append('z').append(owner == null ? 0 : owner.nid());
        }
        for (Peer peer : peers) {
            peer.text(text.append(machine.isAlive(peer.node) ? isUnloaded(peer) ? ':' : ';' : '!'), zone());
        }
        return text.toString();
    }

    private static void zoneText(StringBuilder text, ZoneRow row) {
        text.append(row.epoch()).append(row.state().ordinal()).append(row.owner() == null ? 0 : row.owner().nid());
        row.backups().forEach(backup -> text.append(',').append(backup.node()).append(backup.copy()));
        row.kept().forEach(backup -> text.append('k').append(backup.node()).append(backup.copy()));
        row.outdated().forEach(backup -> text.append('q').append(backup.node()).append(backup.copy()));
        row.reports().forEach(report -> text.append('r').append(report.node().nid()).append('=').append(report.last()));
        row.spares().forEach(spare -> text.append('s').append(spare.node().nid()));
        row.obstacles().forEach(obstacle -> text.append('o').append(obstacle.node().nid())
            .append(obstacle.hindrance().ordinal()));
        row.learners().forEach(learner -> text.append('l').append(learner.node().nid()).append(learner.copy()));
        if (row.heir() != null) {
            text.append('h').append(row.heir().nid());
        }
    }

    private ZoneRow zone() {
        return machine.zone(1);
    }

    private boolean isUnloaded(Peer peer) {
        return machine.nodesSince(-1).stream().anyMatch(row -> row.reference().equals(peer.node) && row.isUnloaded());
    }

    /** Returns whether the zone is served, or can no longer be, or waits for nodes that do not start again. */
    boolean isServed() {
        ZoneRow row = zone();
        if (row.state() == ZoneState.WAITING && starts >= bounds.starts()) {
            return true;
        }
        for (Peer peer : peers) {
            boolean isWithoutBackup = row.backups().isEmpty() && row.isOwnedBy(peer.node);
            if (isServing(peer) && (peer.owner.answerable() == peer.owner.committed() || isWithoutBackup)) {
                return true;                                    // changes of a zone without a backup wait for one
            }
        }
        return false;
    }

    private static boolean isServing(Peer peer) {
        return peer.isUp && peer.hasLease && !peer.isPaused && peer.owner != null
            && peer.owner.row().state().isServed();
    }

    /** Returns whether operations that began while the peer served the zone may still be under way. */
    private static boolean isLate(Peer peer) {
        return peer.isUp && peer.owner != null && peer.isPaused;
    }

    // ---- events ----

    List<String> events() {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            Peer peer = peers[i];
            addFailures(events, i, peer);
            if (peer.isUp) {
                addPeerEvents(events, i, peer);
            }
        }
        for (String message : wire) {
            events.add("deliver " + message);
        }
        if (zone().canGoOn()) {
            events.add("hedge");
        }
        return events;
    }

    private void addFailures(List<String> events, int i, Peer peer) {
        if (peer.isUp && crashes < bounds.crashes()) {
            events.add("crash " + i);
        }
        if (peer.isUp && peer.hasLease && leases < bounds.leases()) {
            events.add("lease " + i);
        }
        if (machine.isAlive(peer.node) && (!peer.isUp || !peer.hasLease)) {
            events.add("expire " + i);
        }
        if (peer.isUp && !peer.hasLease && machine.isAlive(peer.node)) {
            events.add("renew " + i);
        }
        if (!machine.isAlive(peer.node) && starts < bounds.starts()) {
            events.add("start " + i);
        }
        if (machine.isAlive(peer.node) && unloads < bounds.unloads()) {
            events.add("unload " + i);
        }
    }

    private void addPeerEvents(List<String> events, int i, Peer peer) {
        if (peer.row == null || peer.row.version() < zone().version()) {
            events.add("learn " + i);
        }
        if (peer.backup != null && peer.row.state().isFenced() && !peer.isReported) {
            events.add("report " + i);
        }
        if (peer.row != null && peer.row.state() == ZoneState.WAITING && peer.row.keptBefore(peer.node) != null
            && !peer.isReported) {
            events.add("return " + i);
        }
        addMoves(events, i, peer);
        if (peer.owner != null) {
            if (isServing(peer) || isLate(peer)) {
                if (writes < bounds.writes()) {
                    events.add("write " + i);
                }
                if (peer.owner.answerable() > 0 && peer.owner.answerable() > floor) {
                    events.add("acknowledge " + i);
                }
                if (peer.owner.answerable() != peer.owner.acknowledged() && !peer.row.backups().isEmpty()) {
                    events.add("without " + i);
                }
            }
            if (isServing(peer) && peer.owner.answerable() == peer.owner.committed()
                && peer.owner.committed() != floor) {
                events.add("read " + i);
            }
            addRefills(events, i, peer);
            if (peer.owner.isRestored() && zone().state() == ZoneState.RESTORING) {
                events.add("owned " + i);
            }
            addHindrances(events, i, peer);
            for (ZoneOwner.Progress progress : peer.owner.backups()) {
                addShipping(events, i, peer, progress);
            }
        }
    }

    private void addMoves(List<String> events, int i, Peer peer) {
        if (moves < bounds.moves() && peer.owner == null && machine.isAlive(peer.node) && zone().heir() == null
            && zone().state().isServed()) {
            events.add("claim " + i);
        }
        if (isServing(peer) && peer.row.isHandedOver()) {
            events.add("pause " + i);
        }
        if (isLate(peer) && peer.owner.acknowledged() == peer.owner.committed() && wire.size() < bounds.messages()) {
            events.add("hand " + i);
        }
    }

    private void addRefills(List<String> events, int i, Peer peer) {
        if (isServing(peer) && refills < bounds.refills() && zone().learners().isEmpty()
            && zone().backups().size() < PEERS - 1) {
            events.add("add " + i);
        }
        for (int j = 0; j < PEERS; j++) {
            if (isServing(peer) && canResume(peer, peers[j])) {
                events.add("resume " + i + " " + j);
            }
        }
        if (peer.learner == null) {
            return;
        }
        if (peer.isResumed) {
            for (ZoneOwner.Progress progress : peer.owner.backups()) {
                if (progress.backup().equals(peer.learner)
                    && Long.compareUnsigned(progress.logged(), peer.base) >= 0) {
                    events.add("learned " + i);
                }
            }
            return;
        }
        if (wire.size() < bounds.messages() && begins < 2) {
            events.add("begin " + i);
        }
        if (peer.recorded == 0 && isServing(peer)) {
            events.add("record " + i);
        }
        for (ZoneOwner.Progress progress : peer.owner.backups()) {
            if (progress.backup().equals(peer.learner) && peer.recorded != 0
                && Long.compareUnsigned(progress.logged(), peer.recorded) >= 0) {
                events.add("learned " + i);
            }
        }
    }

    /** Returns whether a peer has come back with a copy to which the owner can add. */
    private boolean canResume(Peer owner, Peer peer) {
        Backup copy = zone().resumable(peer.node);
        return copy != null && resumes < bounds.refills() + bounds.starts() && peer.isUp
            && machine.isAlive(peer.node) && zone().learners().isEmpty()
            && zone().backups().size() < bounds.backups() && zone().receiver(peer.node) == null && peer.owner == null
            && copy.node().incarnation() <= peer.node.incarnation() && copy.copy() == peer.copy
            && peer.log.size() <= owner.log.size() && peer.log.equals(owner.log.subList(0, peer.log.size()));
    }

    private void addHindrances(List<String> events, int i, Peer peer) {
        if (hindrances < bounds.hindrances() && zone().state() == ZoneState.RESTORING && zone().isOwnedBy(peer.node)) {
            events.add("damaged " + i);
            if (peer.owner.isRestored()) {
                events.add("hindered " + i);
            }
        }
    }

    private void addShipping(List<String> events, int i, Peer peer, ZoneOwner.Progress progress) {
        int to = index(progress.backup().node());
        int acked = (int) ZoneNumber.counter(progress.logged());
        if (wire.size() < bounds.messages()) {
            for (int at = acked; at < peer.log.size(); at++) {
                events.add("ship " + i + " " + to + " " + at);
            }
        }
        if (failures < bounds.failures() && acked < peer.log.size()) {
            events.add("give-up " + i + " " + to);
        }
    }

    private int index(NodeRef node) {
        for (int i = 0; i < PEERS; i++) {
            if (peers[i].node.nid() == node.nid()) {
                return i;
            }
        }
        throw new IllegalStateException("no peer " + node);
    }

    void play(String event) {
        String[] words = event.split(" ");
        Peer peer = words.length > 1 && words[1].length() == 1 ? peers[Integer.parseInt(words[1])] : null;
        switch (words[0]) {
            case "crash" -> crash(peer);
            case "lease" -> loseLease(peer);
            case "renew" -> peer.hasLease = true;
            case "expire" -> apply(new Command.Vote(0, 0, peer.node));
            case "learn" -> learn(peer);
            case "report" -> report(peer);
            case "hedge" -> apply(new Command.Hedge(1, zone().epoch()));
            case "write" -> {
                writes++;
                write(peer);
            }
            case "add" -> {
                refills++;
                apply(new Command.AddBackup(1, peer.owner.row().epoch()));
            }
            case "resume" -> {
                resumes++;
                Peer back = peers[Integer.parseInt(words[2])];
                apply(new Command.Returned(1, peer.owner.row().epoch(), back.node, back.copy, 0, CopyState.WHOLE));
            }
            case "begin" -> begin(peer);
            case "record" -> {
                write(peer);
                peer.recorded = peer.owner.committed();
            }
            case "learned" -> apply(new Command.Learned(1, peer.owner.row().epoch(), peer.learner.node()));
            case "claim" -> {
                moves++;
                apply(new Command.ClaimZone(1, zone().epoch(), peer.node));
            }
            case "unload" -> {
                unloads++;
                apply(new UnloadNode(peer.node, true));
            }
            case "pause" -> {
                peer.isPaused = true;
                peer.pausedEpoch = peer.row.epoch();
            }
            case "hand" -> wire.add("hand " + index(peer.node) + " " + peer.pausedEpoch);
            case "read" -> observe(peer.owner.committed());
            case "acknowledge" -> observe(peer.owner.answerable());
            case "without" -> apply(new Command.DoWithout(1, peer.owner.row().epoch()));
            case "start" -> start(peer);
            case "return" -> comeBack(peer);
            case "owned" -> apply(new Command.Owned(1, peer.owner.row().epoch(), peer.node));
            case "damaged" -> hinder(peer, 0, Hindrance.DAMAGE);
            case "hindered" -> hinder(peer, peer.copy, Hindrance.DISK);
            case "ship" -> ship(peer, Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case "give-up" -> giveUp(peer, Integer.parseInt(words[2]));
            case "deliver" -> deliver(words);
            default -> throw new IllegalArgumentException(event);
        }
    }

    private void apply(Command command) {
        machine = new MetadataMachine(machine.state());
        machine.apply(command);
    }

    /** The owner cannot restore, for now or at all: another one is to, or else it tries again. */
    private void hinder(Peer peer, int copy, Hindrance hindrance) {
        hindrances++;
        apply(new Command.CannotRestore(1, peer.owner.row().epoch(), peer.node, copy, hindrance, 0, 0));
    }

    private void crash(Peer peer) {
        crashes++;
        peer.isUp = false;
        forget(peer);
    }

    /** The memory of a process is lost. */
    private static void forget(Peer peer) {
        endOwner(peer);
        peer.backup = null;
    }

    /** What an owner has in its memory is lost; its disk has the copy that it has restored, if it has one. */
    private static void endOwner(Peer peer) {
        if (peer.owner != null) {
            peer.log = peer.disk == null ? new ArrayList<>() : new ArrayList<>(peer.disk);
            peer.copy = peer.disk == null ? 0 : peer.copy;
        }
        peer.disk = null;
        peer.owner = null;
        peer.isPaused = false;
        peer.learner = null;
        peer.isResumed = false;
    }

    /** The process, or the next one with its folder, begins another life. */
    private void start(Peer peer) {
        starts++;
        forget(peer);
        machine = new MetadataMachine(machine.state());
        int folder = index(peer.node);
        CommandReply reply = machine.apply(new Command.Join(new UUID(0, folder), 10 + starts, "", Roles.PEER));
        peer.node = ((CommandReply.Joined) reply).node();
        peer.isUp = true;
        peer.hasLease = true;
        peer.isReported = false;
        peer.row = null;
    }

    /** A node offers the copy on its disk. */
    private void comeBack(Peer peer) {
        Backup kept = peer.row.keptBefore(peer.node);
        if (kept.copy() != peer.copy) {
            throw new IllegalStateException(peer.node + " has no copy " + kept.copy() + " any more");
        }
        apply(new Command.Returned(1, peer.row.epoch(), peer.node, peer.copy, peer.last(), CopyState.WHOLE));
        peer.isReported = true;
    }

    private void loseLease(Peer peer) {
        leases++;
        peer.hasLease = false;
    }

    /** A peer sees the newest row, and becomes what the row says. */
    private void learn(Peer peer) {
        ZoneRow row = zone();
        peer.row = row;
        peer.isReported = false;
        if (row.isOwnedBy(peer.node)) {
            if (peer.owner == null && !peer.log.isEmpty() && peer.last() == 0) {
                throw new IllegalStateException(peer.node + " owns the zone without its value");
            }
            if (peer.owner == null && row.state() == ZoneState.RESTORING) {
                peer.disk = List.copyOf(peer.log);
            }
            peer.owner = peer.owner == null ? ZoneOwner.begun(peer.node, row, peer.last()) : peer.owner.configured(row);
            peer.backup = null;
            learnLearner(peer, row);
            learnHeir(peer, row);
            return;
        }
        endOwner(peer);
        Backup mine = row.receiver(peer.node);
        if (mine != null && row.state() == ZoneState.OPEN
            && (peer.backup == null ? peer.log.isEmpty() || peer.copy < mine.copy()
                : peer.backup.copy() < mine.copy())) {
            peer.backup = new ZoneBackup(mine.copy(), row.epoch(), 0);
            peer.copy = mine.copy();
            peer.log.clear();
        }
        if (mine != null && peer.backup == null && peer.copy == mine.copy()) {
            peer.backup = new ZoneBackup(peer.copy, row.epoch(), peer.last());  // it was an owner that handed over
        }
        if (mine != null && peer.backup != null && row.state().isFenced()) {
            peer.backup = peer.backup.fenced(row.epoch());
        }
    }

    /** What hands the zone over may still be on its way, but only in epochs that are over. */
    private static void learnHeir(Peer peer, ZoneRow row) {
        if (peer.isPaused && row.epoch() > peer.pausedEpoch) {
            peer.isPaused = row.isHandedOver();
            peer.pausedEpoch = row.epoch();
        }
    }

    private static void learnLearner(Peer peer, ZoneRow row) {
        Backup learner = row.learners().isEmpty() ? null : row.learners().getFirst();
        if (learner != null && !learner.equals(peer.learner)) {
            peer.base = peer.owner.committed();
            peer.recorded = 0;
            peer.isResumed = row.isResumed(learner);
        }
        peer.learner = learner;
    }

    private void begin(Peer peer) {
        begins++;
        wire.add("begin " + index(peer.node) + " " + index(peer.learner.node()) + " " + peer.learner.copy() + " "
            + peer.owner.row().epoch() + " " + peer.base + lives(peer.node, peer.learner.node()));
    }

    private void report(Peer peer) {
        apply(new Command.Fenced(1, peer.row.epoch(), peer.node, peer.backup.last()));
        peer.isReported = true;
    }

    private void write(Peer peer) {
        long number = peer.owner.next();
        peer.log.add(number);
        peer.owner = peer.owner.committed(number);
    }

    private void observe(long number) {
        if (Long.compareUnsigned(number, floor) < 0) {
            throw new IllegalStateException("read " + ZoneNumber.text(number) + " after " + ZoneNumber.text(floor));
        }
        floor = number;
    }

    private void ship(Peer from, int to, int at) {
        for (Backup backup : from.owner.row().receivers()) {
            if (index(backup.node()) == to) {
                wire.add("run " + index(from.node) + " " + to + " " + backup.copy() + " " + from.owner.row().epoch()
                    + " " + from.log.get(at) + lives(from.node, backup.node()));
            }
        }
    }

    /** A message names the lives of its sender and its receiver, which a later life of these does not take. */
    private static String lives(NodeRef from, NodeRef to) {
        return " " + from.incarnation() + " " + to.incarnation();
    }

    private void giveUp(Peer peer, int backup) {
        failures++;
        apply(new Command.BackupFailed(1, peer.owner.row().epoch(), peers[backup].node));
    }

    private void deliver(String[] words) {
        String message = String.join(" ", List.of(words).subList(1, words.length));
        wire.remove(message);
        if (words[1].equals("hand")) {
            apply(new Command.HandOver(1, Integer.parseInt(words[3]), peers[Integer.parseInt(words[2])].node));
            return;
        }
        Peer to = peers[Integer.parseInt(words[3])];
        if (!to.isUp || to.node.incarnation() != Integer.parseInt(words[words.length - 1])) {
            return;
        }
        NodeRef from = new NodeRef(peers[Integer.parseInt(words[2])].node.nid(),
            Integer.parseInt(words[words.length - 2]));
        if (words[1].equals("run")) {
            deliverRun(words, to, from);
        } else if (words[1].equals("begin")) {
            deliverBegin(words, to, from);
        } else if (to.owner != null) {
            to.owner = to.owner.acknowledged(from, Integer.parseInt(words[4]), Long.parseLong(words[5]), 0);
        }
    }

    private void deliverBegin(String[] words, Peer to, NodeRef from) {
        int epoch = Integer.parseInt(words[5]);
        if (to.backup == null || to.backup.copy() != Integer.parseInt(words[4]) || epoch < to.backup.epoch()) {
            return;
        }
        if (to.backup.last() == 0) {
            to.backup = to.backup.begun(Long.parseLong(words[6]));
            for (long i = 0; i < ZoneNumber.counter(to.backup.last()); i++) {
                to.log.add(0L);
            }
        }
        to.backup = to.backup.fenced(epoch);
        wire.add("ack " + index(to.node) + " " + words[2] + " " + to.backup.copy() + " " + to.backup.last()
            + lives(to.node, from));
    }

    private static ZoneBackup after(ZoneBackup backup, Run run) {
        return new ZoneBackup(backup.copy(), run.epoch(), backup.verdict(run) == ZoneBackup.Verdict.TAKE ? run.last()
            : backup.last());
    }

    private void deliverRun(String[] words, Peer to, NodeRef from) {
        Run run = new Run(1, Integer.parseInt(words[4]), Integer.parseInt(words[5]), Long.parseLong(words[6]), 1);
        if (to.backup == null) {
            return;
        }
        ZoneBackup.Verdict verdict = to.backup.verdict(run);
        if (verdict == ZoneBackup.Verdict.STALE) {
            return;
        }
        to.backup = after(to.backup, run);
        if (verdict == ZoneBackup.Verdict.TAKE) {
            to.log.add(run.first());
        }
        wire.add("ack " + index(to.node) + " " + words[2] + " " + run.copy() + " " + to.backup.last()
            + lives(to.node, from));
    }

    // ---- invariants ----

    void audit() {
        machine.audit();
        int serving = 0;
        for (Peer peer : peers) {
            serving += isServing(peer) && machine.isAlive(peer.node) ? 1 : 0;
            if (isServing(peer) && !machine.isAlive(peer.node)) {
                throw new IllegalStateException(peer.node + " serves after its expiry");
            }
            for (int i = 0; i < peer.log.size(); i++) {
                if (peer.log.get(i) != 0 && ZoneNumber.counter(peer.log.get(i)) != i + 1) {
                    throw new IllegalStateException("log of " + peer.node + ": " + peer.log);
                }
            }
        }
        if (zone().state() == ZoneState.LOST) {
            throw new IllegalStateException("the zone is lost, and all disks are there");
        }
        if (serving > 1) {
            throw new IllegalStateException(serving + " peers serve");
        }
    }
}
