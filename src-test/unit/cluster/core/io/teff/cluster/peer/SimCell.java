package io.teff.cluster.peer;

import io.teff.cluster.consensus.NotLeadingException;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.meta.ZoneWidth;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.raft.SimRaft;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The superpeers and their replicated log. One member leads at a time; a command is in the log when the leading member
 * reaches a majority, and each member applies it at some later time. A member that led may take itself for the leading
 * one for a while; what it proposes then is lost. Proposals are lost now and then, before or after they are in the log.
 */
final class SimCell {
    private static final long LOOK_NS = 50 * SimWorld.MS;
    private static final int LOST_PER_MILLE = 30;
    /** A simulated world has room for so many superpeers. */
    private static final int MEMBERS_MAX = 8;

    private static final ClusterId CLUSTER = new ClusterId(1, 2, "simulated");

    private final SimWorld world;
    private final Plant plant;
    private final boolean isReal;
    private final List<SimSuperpeer> members = new ArrayList<>();
    private final List<Command> log = new ArrayList<>();
    /** Numbers of the members of the model. */
    private final Set<Integer> voters = new TreeSet<>();
    private final LeaseTerms terms;
    private final MachineState state;
    private SuperpeerSet set;
    private int steps;
    private final Map<Integer, ZoneRow> newest = new HashMap<>();
    private final Set<NodeRef> expired = new HashSet<>();
    /** Zones that have had a backup, and have a backup on a disk that is there. */
    private final Set<Integer> backed = new HashSet<>();
    /** The peers of racks whose disks were lost; a peer without its disk gets another NID. */
    private final Set<Integer> withoutDisks = new HashSet<>();
    private final Map<Integer, Long> unservedSinceNs = new HashMap<>();
    /** Zones that are restored from copies which a power cut has shortened, until they are served. */
    private final Set<Integer> cutZones = new HashSet<>();
    private final BiPredicate<Integer, Backup> wasCut;
    private final BiConsumer<Integer, Long> sessionEnded;
    private int noted;
    private SimSuperpeer leading;
    private boolean isElecting;
    private int elections;
    private int recoveries;
    private int moves;
    private int livesMax;
    private int hindered;

    /** A command on its way into the log, or to its application. */
    record Proposal(Command command, CompletableFuture<CommandReply> reply, int index) {}

    /**
     * Makes it.
     *
     * @param scatterWidth with how many peers a peer shares zones; 0 for all peers
     * @param isReal whether superpeers agree by the real consensus, on disks of their own, instead of the model
     * @param wasCut whether the copy of a zone has lost its end by a power cut, as far as the disk is concerned
     * @param sessionEnded takes the session of a client that has ended, and when
     */
    SimCell(SimWorld world, int superpeers, int backups, int scatterWidth, LeaseTerms terms, Plant plant,
            BiPredicate<Integer, Backup> wasCut, BiConsumer<Integer, Long> sessionEnded, boolean isReal) {
        this.world = world;
        this.isReal = isReal;
        this.wasCut = wasCut;
        this.sessionEnded = sessionEnded;
        this.plant = plant;
        MetadataMachine founded = new MetadataMachine(
            MachineState.initial(new MachineState.Settings(superpeers, backups)));
        founded.apply(new Command.Founded(CLUSTER));
        if (scatterWidth > 0) {
            founded.apply(new ZoneWidth(scatterWidth));
        }
        MachineState state = founded.state();
        for (int i = 0; i < superpeers; i++) {
            members.add(new SimSuperpeer(world, i, terms, this, new MetadataMachine(state)));
            voters.add(i);
        }
        leading = members.getFirst();
        this.terms = terms;
        this.state = state;
        set = state.superpeers();
        if (isReal) {
            members.forEach(this::giveConsensus);
        }
    }

    private void giveConsensus(SimSuperpeer member) {
        member.raft = new SimRaft(member.number, state.settings(), member.clock, world.random::nextLong,
            (to, bytes) -> world.send(member, members.get(to), () -> members.get(to).receive(member.number, bytes)),
            (index, command, machine, before) -> applied(index, command, machine, before), world::fail);
    }

    // ---- changes of the superpeers ----

    /** Returns the newest superpeers. */
    SuperpeerSet superpeers() {
        return set;
    }

    /** Returns how often the superpeers that count have changed. */
    int steps() {
        return steps;
    }

    /** A person adds or removes a superpeer, or removes the superpeer that is being added. */
    void change(SplittableRandom random) {
        List<SuperpeerRow> rows = set.rows();
        SuperpeerRow row = rows.get(random.nextInt(rows.size()));
        boolean isFull = set.counting().size() >= MachineState.Settings.SUPERPEERS_MAX
            || members.size() >= MEMBERS_MAX;
        Command command = set.counting().size() == 1 || random.nextBoolean() && !isFull
            ? new Command.AddSuperpeer("sim:" + members.size()) : new Command.RemoveSuperpeer(row.number());
        world.tell(() -> "a person sends " + command);
        members.forEach(member -> {
            var _ = log(member).propose(command);
        });
    }

    /** Starts superpeers that were added, and ends superpeers that were removed, some time later. */
    private void noteSuperpeers(SuperpeerSet now) {
        if (now.version() <= set.version()) {
            return;
        }
        SuperpeerSet before = set;
        set = now;
        steps += before.bits() == now.bits() ? 0 : 1;
        world.tell(() -> "superpeers " + now.rows());
        for (SuperpeerRow row : now.rows()) {
            if (row.number() >= members.size()) {
                SimSuperpeer added = new SimSuperpeer(world, row.number(), terms, this, new MetadataMachine(state));
                members.add(added);
                if (isReal) {
                    giveConsensus(added);
                }
                world.after(world.between(SimWorld.MS, 1_000 * SimWorld.MS), added::start);
            }
        }
        for (SuperpeerRow row : before.rows()) {
            if (now.row(row.number()) == null) {
                SimSuperpeer removed = members.get(row.number());
                world.after(world.between(SimWorld.MS, 3_000 * SimWorld.MS), () -> {
                    removed.isGone = true;
                    if (removed.isUp) {
                        removed.kill();
                    }
                });
            }
        }
    }

    /** A superpeer that is being added has the log of the model, and votes from now on. */
    private void promote() {
        for (SuperpeerRow row : set.rows()) {
            if (row.standing() == Standing.ENTERING && row.number() < members.size()) {
                SimSuperpeer added = members.get(row.number());
                if (hasMajority(leading) && added.isRunning() && world.isConnected(leading, added)) {
                    voters.add(row.number());
                }
            }
        }
    }

    /** Removes a voter of the model; a leader ends leading first. */
    private boolean remove(SimSuperpeer by, int number) {
        if (!by.leads || by != leading) {
            return false;
        }
        if (number != by.number || !voters.contains(number)) {
            voters.remove(number);
            return true;
        }
        by.leads = false;
        fail(by);
        voters.remove(number);
        return false;
    }

    void start() {
        members.forEach(SimSuperpeer::start);
        if (isReal) {
            lookAtLeader();
        } else {
            leading.leads = true;
            look();
        }
    }

    /** Counts leaders of the real consensus. */
    private void lookAtLeader() {
        members.stream().filter(member -> member.raft().isLeading() && member != leading).findAny().ifPresent(next -> {
            leading = next;
            elections++;
            world.tell(next + " leads");
        });
        world.after(LOOK_NS, this::lookAtLeader);
    }

    /** Checks a command that a member of the real consensus has applied. */
    private void applied(long index, Command command, MetadataMachine machine, long before) {
        if (index > noted) {
            noted = (int) index;
            if (command instanceof Command.ClientGone gone) {
                sessionEnded.accept(gone.session(), world.nowNs());
            }
            note(machine, before);
        } else {
            compare(machine, before);
        }
    }

    boolean isSilentAtStart() {
        return plant.isSilentAtStart();
    }

    List<SimSuperpeer> members() {
        return members;
    }

    int elections() {
        return elections;
    }

    int recoveries() {
        return recoveries;
    }

    /** Returns the most lives that counted at one time: a peer that has lost its disk may have two for a while. */
    int livesMax() {
        return livesMax;
    }

    /** Returns how often an owner that lives has handed a zone over. */
    int moves() {
        return moves;
    }

    /** Returns how often an owner could not restore a zone. */
    int hindered() {
        return hindered;
    }

    /** Returns the lives of peers that have expired. */
    Set<NodeRef> expired() {
        return expired;
    }

    /** Returns the rows of nodes as the leading member has them. */
    List<NodeRow> nodes() {
        return log(leading).read(machine -> machine.nodesSince(-1));
    }

    /** A person sends a command to the leading superpeer. */
    void order(Command command) {
        members.forEach(member -> {
            var _ = log(member).propose(command);
        });
    }

    /** Returns the newest rows of all zones. */
    List<ZoneRow> rows() {
        return List.copyOf(newest.values());
    }

    // ---- leading ----

    private boolean hasMajority(SimSuperpeer member) {
        int reached = 0;
        for (SimSuperpeer other : members) {
            reached += voters.contains(other.number) && other.isRunning() && world.isConnected(member, other)
                && world.isConnected(other, member) ? 1 : 0;
        }
        return member.isRunning() && voters.contains(member.number) && reached * 2 > voters.size();
    }

    /** Looks now and then whether the leading member still leads. */
    private void look() {
        for (SimSuperpeer member : members) {
            if (member.leads && member != leading && member.isRunning() && world.isConnected(leading, member)) {
                member.leads = false;
                fail(member);
            }
        }
        if (!isElecting && !(hasMajority(leading) && leading.leads)) {
            isElecting = true;
            world.after(world.between(300 * SimWorld.MS, 1_500 * SimWorld.MS), this::elect);
        }
        promote();
        world.after(LOOK_NS, this::look);
    }

    private void elect() {
        isElecting = false;
        if (hasMajority(leading) && leading.leads) {
            return;
        }
        List<SimSuperpeer> able = members.stream().filter(this::hasMajority).toList();
        if (!able.isEmpty()) {
            elections++;
            leading = able.get(world.random.nextInt(able.size()));
            world.tell(leading + " leads");
            apply(leading, log.size());
            leading.leads = true;
        }
    }

    private static void fail(SimSuperpeer member) {
        List<Proposal> left = List.copyOf(member.waiting);
        member.waiting.clear();
        left.forEach(proposal -> proposal.reply().completeExceptionally(new NotLeadingException()));
    }

    // ---- the log ----

    /** Returns the log as a member sees it. */
    SuperpeerLog log(SimSuperpeer member) {
        return isReal ? member.raft() : new SuperpeerLog() {
            @Override
            public CompletableFuture<CommandReply> propose(Command command) {
                return SimCell.this.propose(member, command);
            }

            @Override
            public boolean isLeading() {
                return member.leads;
            }

            @Override
            public boolean isMember() {
                return true;
            }

            @Override
            public int restarts() {
                return 0;
            }

            @Override
            public boolean needsRoom() {
                return false;
            }

            @Override
            public boolean isVoter(int superpeer) {
                return voters.contains(superpeer);
            }

            @Override
            public boolean remove(int superpeer) {
                return SimCell.this.remove(member, superpeer);
            }

            @Override
            public <T> T read(Function<MetadataMachine, T> reader) {
                return reader.apply(member.machine);
            }

            @Override
            public void close() {
                // ends with its process
            }
        };
    }

    private CompletableFuture<CommandReply> propose(SimSuperpeer member, Command command) {
        CompletableFuture<CommandReply> reply = new CompletableFuture<>();
        if (!member.leads) {
            reply.completeExceptionally(new NotLeadingException());
        } else if (isUnlucky()) {
            world.after(member, 100 * SimWorld.MS, () -> reply.completeExceptionally(new NotLeadingException()));
        } else {
            world.after(member, world.between(SimWorld.MS / 2, 12 * SimWorld.MS), () -> commit(member, command, reply));
        }
        return reply;
    }

    private boolean isUnlucky() {
        return !world.isHealed() && world.random.nextInt(1_000) < LOST_PER_MILLE;
    }

    private void commit(SimSuperpeer member, Command command, CompletableFuture<CommandReply> reply) {
        if (!member.leads) {
            reply.completeExceptionally(new NotLeadingException());
        } else if (member != leading || !hasMajority(member)) {
            world.after(member, LOOK_NS, () -> commit(member, command, reply));
        } else {
            log.add(command);
            member.waiting.add(new Proposal(command, reply, log.size()));
            if (isUnlucky()) {
                fail(member);                                   // in the log all the same
            }
            members.forEach(this::follow);
        }
    }

    /** Lets a member apply what is in the log, some time later. */
    void follow(SimSuperpeer member) {
        if (isReal) {
            return;                                             // the leader sends what is missing
        }
        int end = log.size();
        long delay = member == leading ? world.between(1, SimWorld.MS) : world.between(1, 30 * SimWorld.MS);
        world.after(member, delay, () -> reach(member, end));
    }

    private void reach(SimSuperpeer member, int end) {
        if (member == leading || world.isConnected(leading, member)) {
            apply(member, end);
        } else {
            world.after(member, LOOK_NS, () -> reach(member, end));
        }
    }

    private void apply(SimSuperpeer member, int end) {
        while (member.applied < end) {
            Command command = log.get(member.applied++);
            long before = member.machine.version();
            CommandReply reply = member.machine.apply(command);
            member.machine = plant.applied(member.machine, command);
            int index = member.applied;
            if (index > noted) {
                noted = index;
                if (command instanceof Command.ClientGone gone) {
                    sessionEnded.accept(gone.session(), world.nowNs());
                }
                note(member.machine, before);
            } else {
                compare(member.machine, before);
            }
            for (Proposal proposal : List.copyOf(member.waiting)) {
                if (proposal.index() <= index) {
                    member.waiting.remove(proposal);
                    proposal.reply().complete(reply);
                }
            }
        }
    }

    /** Checks a member that has applied what the others had applied before: its rows are theirs, or older. */
    private void compare(MetadataMachine machine, long before) {
        for (ZoneRow row : machine.zonesSince(before)) {
            ZoneRow known = newest.get(row.zone());
            if (row.version() > known.version() || row.version() == known.version() && !row.equals(known)) {
                world.fail("members differ: " + row + " and " + known);
            }
        }
    }

    /** Checks the member that has applied a command first. Epochs and versions rise. */
    private void note(MetadataMachine machine, long before) {
        machine.audit();
        noteSuperpeers(machine.superpeers());
        livesMax = Math.max(livesMax, (int) machine.nodesSince(-1).stream().filter(NodeRow::isAlive).count());
        machine.nodesSince(before).stream().filter(row -> !row.isAlive()).forEach(row -> expired.add(row.reference()));
        for (ZoneRow row : machine.zonesSince(before)) {
            ZoneRow known = newest.get(row.zone());
            if (known != null && (row.epoch() < known.epoch() || row.version() <= known.version())) {
                world.fail("the epoch of " + known + " falls: " + row);
            }
            if (known != null && row.state() == ZoneState.FENCING && known.isHandedOver()
                && machine.isAlive(known.owner())) {
                moves++;
            } else if (known != null && row.state() == ZoneState.FENCING && known.state().isServed()) {
                recoveries++;
            }
            hindered += known != null && isHindered(machine, known, row) ? 1 : 0;
            if (known == null || known.state() != row.state() || known.epoch() != row.epoch()) {
                world.tell(() -> text(row));
            }
            noteBacked(row);
            noteCut(known, row);
            newest.put(row.zone(), row);
        }
    }

    private void noteBacked(ZoneRow row) {
        if (row.backups().stream().anyMatch(this::isThere)) {
            backed.add(row.zone());
        } else if (!withoutDisks.isEmpty() && row.kept().stream().noneMatch(this::isThere)) {
            backed.remove(row.zone());
        }
    }

    private boolean isThere(Backup copy) {
        return !withoutDisks.contains(copy.node().nid());
    }

    /** Notes that the disk of a peer is lost: a zone without another backup may be lost before it has a new one. */
    void diskLost(int nid) {
        withoutDisks.add(nid);
        rows().forEach(this::noteBacked);
    }

    /** Returns whether a zone has a backup on a disk: the zone of a peer that was alone is lost with the peer. */
    boolean wasBacked(int zone) {
        return backed.contains(zone);
    }

    /**
     * Notes a zone that goes on with an earlier state. The zone must have waited, all copies that have come back must
     * have been shortened, and no other copy may be able to come back. A zone that a person has given up is no fault.
     */
    private void noteCut(@Nullable ZoneRow known, ZoneRow row) {
        if (row.state().isServed()) {
            return;
        }
        if (known == null || known.state().isServed()) {
            unservedSinceNs.put(row.zone(), world.nowNs());
        }
        boolean isOver = known != null && known.state() == ZoneState.WAITING && row.state() != ZoneState.WAITING
            && row.state() != ZoneState.LOST;
        if (isOver) {
            List<Backup> back = new ArrayList<>(row.backups());
            back.addAll(row.spares());
            back.addAll(row.kept());                            // that of the new owner, too
            if (back.stream().allMatch(copy -> wasCut.test(row.zone(), copy))) {
                cutZones.add(row.zone());
            }
        }
    }

    /** Returns since when a zone that is served now, after a power cut has shortened it, was not; else -1. */
    long servedAfterCut(int zone) {
        return cutZones.remove(zone) ? unservedSinceNs.get(zone) : -1;
    }

    /** Returns whether an owner that lives has not been able to restore its zone. */
    private static boolean isHindered(MetadataMachine machine, ZoneRow known, ZoneRow row) {
        return row.obstacles().size() > known.obstacles().size() || known.state() == ZoneState.RESTORING
            && row.state() == ZoneState.FENCING && known.owner() != null && machine.isAlive(known.owner());
    }

    private static String text(ZoneRow row) {
        return "zone " + row.zone() + ' ' + row.state() + " epoch " + row.epoch() + ", owner " + row.owner()
            + ", backups " + row.backups() + (row.obstacles().isEmpty() ? "" : ", obstacles " + row.obstacles())
            + (row.spares().isEmpty() ? "" : ", spares " + row.spares())
            + (row.kept().isEmpty() ? "" : ", kept " + row.kept())
            + (row.outdated().isEmpty() ? "" : ", outdated " + row.outdated())
            + (row.learners().isEmpty() ? "" : ", learners " + row.learners());
    }
}
