package io.teff.cluster.peer;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.UnloadNode;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneSent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The faults of one run of a simulated cluster: draws faults of a mix one after the other, and ends them. */
final class SimFaults {
    private final SimWorld world;
    private final SplittableRandom random;
    private final SimCell cell;
    private final List<SimPeer> peers;
    private final List<SimFault> drawnFrom;
    private long endOfFaults;
    private int faults;
    private final int backups;
    private int disksLost;
    private int racksLost;
    private int damages;
    private int failedLogs;
    private int overlaps;
    private @Nullable NodeRef unloaded;

    /** One direction between two nodes. */
    private record Link(SimNode from, SimNode to) {
        @Override
        public String toString() {
            return from + " -> " + to;
        }
    }

    SimFaults(SimWorld world, SimCell cell, List<SimPeer> peers, List<SimFault> drawnFrom, int backups) {
        this.world = world;
        this.backups = backups;
        random = world.random;
        this.cell = cell;
        this.peers = peers;
        this.drawnFrom = drawnFrom;
    }

    // ---- numbers ----

    int count() {
        return faults;
    }

    int failedLogs() {
        return failedLogs;
    }

    int overlaps() {
        return overlaps;
    }

    /** Returns whether copies were lost with their disks, or damaged. */
    boolean haveLostCopies() {
        return disksLost + damages > 0;
    }

    // ---- faults ----

    /** Does one fault after the other until a time. */
    void begin(long endNs) {
        endOfFaults = endNs;
        nextFault();
    }

    private void nextFault() {
        world.after(world.between(50 * SimWorld.MS, 1_500 * SimWorld.MS), () -> {
            if (world.nowNs() < endOfFaults) {
                fault();
                nextFault();
            }
        });
    }

    private void fault() {
        faults++;
        SimPeer peer = peers.get(random.nextInt(peers.size()));
        SimSuperpeer superpeer = cell.members().get(random.nextInt(cell.members().size()));
        switch (drawnFrom.get(random.nextInt(drawnFrom.size()))) {
            case KILL -> killPeer(peer);
            case PAUSE -> pause(peer, world.between(50 * SimWorld.MS, 3_000 * SimWorld.MS));
            case KILL_SUPERPEER -> killSuperpeer(superpeer);
            case PAUSE_SUPERPEER -> pause(superpeer, world.between(50 * SimWorld.MS, 2_000 * SimWorld.MS));
            case CUT_OFF_SUPERPEER -> cutOff(superpeer);
            case SPLIT -> split();
            case OVERLAP -> overlap();
            case CUT_OFF -> cutOff(peer);
            case CUT_ONE_WAY -> cutOneWay(peer, otherThan(peer));
            case FULL_DISK -> fillDisk(peer);
            case FAIL_SYNC -> failSync(peer);
            case FAIL_SYNC_OF_SOME -> (random.nextInt(3) == 0 ? peers : somePeers()).forEach(this::failSync);
            case REFUSED_READS -> somePeers().forEach(this::refuseReads);
            case DAMAGE -> somePeers().forEach(this::damage);
            case NO_MEMORY -> somePeers().forEach(this::takeMemory);
            case KILL_BEHIND_A_CUT -> killBehindACut(peer);
            case KILL_ALL -> killAll(random.nextBoolean() ? peer : null);
            case CUT_POWER -> cutPower(peer);
            case CUT_POWER_OF_ALL -> {
                world.tell("there is no power");
                cell.members().forEach(this::killSuperpeer);
                peers.forEach(this::cutPower);
            }
            case CHANGE_SUPERPEERS -> changeSuperpeers(peer);
            case UNLOAD -> unload(peer);
            case KILL_RACK -> killRack(peer.rack());
            case STORM -> storm(2 + random.nextInt(6), random.nextBoolean());
        }
    }

    /**
     * A person changes the superpeers as fast as possible; sometimes a peer and some superpeers are cut off from all
     * other nodes meanwhile.
     */
    private void changeSuperpeers(SimPeer peer) {
        int changes = random.nextBoolean() ? 1 : 5 + random.nextInt(20);
        for (int i = 0; i < changes; i++) {
            world.after(i * world.between(10 * SimWorld.MS, 40 * SimWorld.MS), () -> {
                if (world.nowNs() < endOfFaults) {
                    cell.change(random);
                }
            });
        }
        if (changes > 1 && random.nextBoolean()) {
            world.after(world.between(10 * SimWorld.MS, 700 * SimWorld.MS), () -> {
                List<SimNode> first = new ArrayList<>(List.of(peer));
                List<SimNode> second = new ArrayList<>(world.nodes());
                cell.members().stream().filter(_ -> random.nextBoolean()).forEach(first::add);
                second.removeAll(first);
                world.tell("cut between " + first + " and " + second);
                cut(first, second, random.nextInt(4) != 0);
            });
        }
    }

    /** A person unloads a peer, and lets it be after a while or not; or moves some zones to any peers. */
    private void unload(SimPeer peer) {
        NodeRef life = peer.core() == null ? null : peer.lastLife();
        if (random.nextInt(3) == 0) {
            cell.rows().stream().filter(_ -> random.nextInt(3) == 0).forEach(row -> {
                NodeRef to = peers.get(random.nextInt(peers.size())).lastLife();
                if (to != null) {
                    cell.order(new ZoneSent(row.zone(), row.epoch(), to));
                }
            });
        } else if (life != null) {
            world.tell(peer + " is unloaded");
            cell.order(new UnloadNode(life, true));
            unloaded = random.nextBoolean() ? life : null;
            if (unloaded == null) {
                world.after(world.between(200 * SimWorld.MS, 3_000 * SimWorld.MS),
                    () -> cell.order(new UnloadNode(life, false)));
            }
        }
    }

    /** A person lets all peers be, at the end of all faults, but perhaps the one that was unloaded last. */
    void letBe() {
        for (NodeRow row : cell.nodes()) {
            if (row.isUnloaded() && !row.reference().equals(unloaded)) {
                cell.order(new UnloadNode(row.reference(), false));
            }
        }
    }

    /** Kills a peer, sometimes a superpeer, and goes on before most of the killed ones run again. */
    private void storm(int kills, boolean isReported) {
        if (kills == 0 || world.nowNs() >= endOfFaults) {
            return;
        }
        if (random.nextInt(6) == 0) {
            killSuperpeer(cell.members().get(random.nextInt(cell.members().size())));
        }
        SimPeer peer = peers.get(random.nextInt(peers.size()));
        if (peer.isUp) {
            NodeRef life = peer.core() == null ? null : peer.lastLife();
            world.tell(peer + " is killed in a storm");
            peer.kill(false);
            if (life != null && isReported) {
                reportEnd(life);
            }
            startAfter(peer, world.between(200 * SimWorld.MS, 4_000 * SimWorld.MS));
        }
        world.after(world.between(100 * SimWorld.MS, 2_500 * SimWorld.MS), () -> storm(kills - 1, isReported));
    }

    /** Lets a peer reach no other peer for a while, and kills it before its changes leave. */
    private void killBehindACut(SimPeer peer) {
        List<SimPeer> others = peers.stream().filter(other -> other != peer).toList();
        boolean isBothWays = random.nextBoolean();
        world.tell(peer + " is cut off from the other peers");
        change(List.of(peer), others, isBothWays, true);
        world.after(world.between(50 * SimWorld.MS, 1_500 * SimWorld.MS), () -> {
            killPeer(peer);
            change(List.of(peer), others, isBothWays, false);
        });
    }

    /** Ends all processes at one moment. */
    private void killAll(@Nullable SimPeer whoseDiskIsLost) {
        world.tell("everything is killed");
        cell.members().forEach(this::killSuperpeer);
        peers.forEach(peer -> killPeer(peer, peer == whoseDiskIsLost));
    }

    /**
     * Kills all peers of a rack. Their disks are lost once, at a moment at which all zones have all their backups, and
     * a copy in another rack. A zone that got a backup while the other racks were away may have all copies in one rack.
     */
    private void killRack(String rack) {
        List<ZoneRow> rows = cell.rows();
        boolean isWhole = rows.stream().allMatch(row -> row.state().isServed() && row.backups().size() >= backups
            && isElsewhere(row, rack)) && peers.stream().allMatch(peer -> peer.core() != null);
        boolean isDiskLost = racksLost == 0 && isWhole && !rows.isEmpty();
        racksLost += isDiskLost ? 1 : 0;
        world.tell("rack " + rack + " is killed" + (isDiskLost ? ", and its disks are lost" : ""));
        for (SimPeer peer : peers) {
            if (peer.rack().equals(rack) && peer.isUp) {
                NodeRef life = peer.core() == null ? null : peer.lastLife();
                peer.kill(isDiskLost);
                if (isDiskLost && life != null) {
                    cell.diskLost(life.nid());
                }
                endKilled(peer, life);
            }
        }
    }

    private boolean isElsewhere(ZoneRow row, String rack) {
        return Stream.concat(Stream.ofNullable(row.owner()), row.backups().stream().map(Backup::node))
            .anyMatch(node -> world.node(node.nid()) instanceof SimPeer peer && !peer.rack().equals(rack));
    }

    /** Returns how many racks have lost their disks. */
    int racksLost() {
        return racksLost;
    }

    private void killPeer(SimPeer peer) {
        killPeer(peer, random.nextInt(3) == 0);
    }

    private void killPeer(SimPeer peer, boolean isDiskLost) {
        if (!peer.isUp) {
            return;
        }
        NodeRef life = peer.core() == null ? null : peer.lastLife();
        disksLost += isDiskLost ? 1 : 0;
        world.tell(peer + " is killed" + (isDiskLost ? ", and its disk is lost" : ""));
        peer.kill(isDiskLost);
        endKilled(peer, life);
    }

    /** Ends the machine of a peer, also of one whose process has ended before. */
    private void cutPower(SimPeer peer) {
        world.tell(peer + " has no power");
        boolean wasUp = peer.isUp;
        peer.cutPower();
        if (wasUp) {
            endKilled(peer, null);
        }
    }

    /** The end of a process may be reported; it starts again after a while. */
    private void endKilled(SimPeer peer, @Nullable NodeRef life) {
        if (life != null && random.nextInt(3) == 0) {
            reportEnd(life);
        }
        startAfter(peer, world.between(20 * SimWorld.MS, 2_000 * SimWorld.MS));
    }

    private void reportEnd(NodeRef life) {
        world.after(world.between(5 * SimWorld.MS, 50 * SimWorld.MS), () ->
            cell.members().forEach(member -> {
                var _ = cell.log(member).propose(new Command.Ended(life));
            }));
    }

    private void startAfter(SimPeer peer, long ns) {
        world.after(ns, () -> {
            if (!peer.isUp) {
                peer.start();
            }
        });
    }

    private void killSuperpeer(SimSuperpeer superpeer) {
        if (superpeer.isUp) {
            world.tell(superpeer + " is killed");
            superpeer.kill();
            world.after(world.between(20 * SimWorld.MS, 2_000 * SimWorld.MS), () -> {
                if (!superpeer.isUp) {
                    superpeer.start();
                }
            });
        }
    }

    private void pause(SimNode node, long ns) {
        boolean isAsleep = random.nextInt(3) == 0;
        world.tell(node + (isAsleep ? " sleeps" : " is stopped") + " for " + ns / SimWorld.MS + " ms");
        node.pause(ns, isAsleep);
    }

    /** Divides all nodes into two parts. */
    private void split() {
        List<SimNode> first = new ArrayList<>();
        List<SimNode> second = new ArrayList<>();
        world.nodes().forEach(node -> (random.nextBoolean() ? first : second).add(node));
        world.tell("cut between " + first + " and " + second);
        cut(first, second, random.nextInt(4) != 0);
    }

    /**
     * Cuts links so that parts overlap: two halves of the peers have the superpeers in common, or each superpeer is on
     * one side and a few nodes reach both, or who reaches whom is any relation, also in one direction.
     */
    private void overlap() {
        int kind = random.nextInt(3);
        int odds = 2 + random.nextInt(6);
        boolean isBothWays = random.nextInt(3) != 0;
        Map<SimNode, Integer> sides = new HashMap<>();          // bits; 3 is on both
        for (SimNode node : world.nodes()) {
            boolean isCommon = kind == 0 ? !(node instanceof SimPeer) : random.nextInt(4) == 0;
            sides.put(node, isCommon ? 3 : 1 + random.nextInt(2));
        }
        List<Link> links = new ArrayList<>();
        for (SimNode from : world.nodes()) {
            for (SimNode to : world.nodes()) {
                int fromSide = Objects.requireNonNull(sides.get(from));
                boolean isCut = kind == 2 ? random.nextInt(odds) == 0
                    : (fromSide & Objects.requireNonNull(sides.get(to))) == 0 && (isBothWays || fromSide == 1);
                if (isCut && !from.equals(to)) {
                    links.add(new Link(from, to));
                }
            }
        }
        overlaps++;
        world.tell(() -> "cut " + links);
        links.forEach(link -> world.cut(link.from, link.to, true));
        world.after(world.between(200 * SimWorld.MS, 3_500 * SimWorld.MS), () ->
            links.forEach(link -> world.cut(link.from, link.to, false)));
    }

    /** Cuts a peer off from the superpeers, and from nothing else. */
    private void cutOff(SimPeer peer) {
        world.tell(peer + " is cut off from the superpeers");
        cut(List.of(peer), List.copyOf(cell.members()), random.nextInt(3) != 0);
    }

    /** Cuts a superpeer off from all peers. */
    private void cutOff(SimSuperpeer superpeer) {
        world.tell(superpeer + " is cut off from the peers");
        cut(List.of(superpeer), peers, random.nextInt(3) != 0);
    }

    private void cutOneWay(SimPeer from, SimPeer to) {
        world.tell("cut from " + from + " to " + to);
        cut(List.of(from), List.of(to), false);
    }

    private void cut(List<? extends SimNode> first, List<? extends SimNode> second, boolean isBothWays) {
        change(first, second, isBothWays, true);
        world.after(world.between(50 * SimWorld.MS, 3_000 * SimWorld.MS), () -> {
            change(first, second, isBothWays, false);
            if (random.nextBoolean() && !world.wire().isReal()) {
                peers.forEach(peer -> peers.forEach(other -> {
                    if (other.lastLife() != null) {
                        peer.lost(other.lastLife().nid());
                    }
                }));
            }
        });
    }

    private void change(List<? extends SimNode> first, List<? extends SimNode> second, boolean isBothWays,
                        boolean isCut) {
        for (SimNode from : first) {
            for (SimNode to : second) {
                world.cut(from, to, isCut);
                if (isBothWays) {
                    world.cut(to, from, isCut);
                }
            }
        }
    }

    private SimPeer otherThan(SimPeer peer) {
        int step = 1 + random.nextInt(peers.size() - 1);
        return peers.get((peers.indexOf(peer) + step) % peers.size());
    }

    private void fillDisk(SimPeer peer) {
        world.tell("the log of " + peer + " is full");
        SimDisk disk = peer.disk();
        disk.full(true);
        world.after(world.between(50 * SimWorld.MS, 3_000 * SimWorld.MS), () -> disk.full(false));
    }

    private List<SimPeer> somePeers() {
        return peers.stream().filter(_ -> random.nextBoolean()).toList();
    }

    private void damage(SimPeer peer) {
        damages++;
        world.tell("the log of " + peer + " is damaged");
        peer.disk().damage();
    }

    private void failSync(SimPeer peer) {
        if (peer.isUp && peer.core() != null) {
            failedLogs++;
            world.tell("the disk of " + peer + " refuses a sync");
            peer.disk().failSync();
        }
    }

    /** A person starts a peer that has left, after a while, perhaps with another disk. */
    void left(SimPeer peer) {
        if (random.nextInt(3) == 0 | peer.isWorthless()) {
            disksLost++;
            peer.kill(true);
        }
        world.after(world.between(20 * SimWorld.MS, 2_000 * SimWorld.MS), () -> {
            if (!peer.isUp) {
                peer.start();
            }
        });
    }

    private void refuseReads(SimPeer peer) {
        world.tell("the log of " + peer + " cannot be read");
        SimDisk disk = peer.disk();
        disk.refuseReads(true);
        world.after(world.between(500 * SimWorld.MS, 5_000 * SimWorld.MS), () -> disk.refuseReads(false));
    }

    private void takeMemory(SimPeer peer) {
        world.tell(peer + " has no memory");
        peer.hasMemory = false;
        world.after(world.between(500 * SimWorld.MS, 5_000 * SimWorld.MS), () -> peer.hasMemory = true);
    }

    /** Ends all faults: everything runs, and reaches everything. */
    void heal() {
        world.tell("no faults any more");
        world.heal();
        for (SimNode node : world.nodes()) {
            node.pausedUntilNs = Math.min(node.pausedUntilNs, world.nowNs());
            node.awake();
        }
        for (SimPeer peer : peers) {
            peer.disk().full(false);
            peer.disk().refuseReads(false);
            if (peer.disk().repair()) {
                world.tell(peer + " is started again");
                peer.kill(false);
            }
            peer.hasMemory = true;
        }
        peers.stream().filter(peer -> !peer.isUp).forEach(SimPeer::start);
        cell.members().stream().filter(member -> !member.isUp).forEach(SimSuperpeer::start);
    }
}
