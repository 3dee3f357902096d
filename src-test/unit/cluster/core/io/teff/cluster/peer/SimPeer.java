package io.teff.cluster.peer;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.SuperpeerNews;
import io.teff.cluster.lease.LeaseTerms;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneSite;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.ship.ShipRing;
import io.teff.engine.os.Platform;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A peer: the real parts of a life on a simulated machine, with a log and a store in memory. A process that starts, or
 * whose life has expired, joins and begins the next life. One whose log has failed leaves, and ends.
 */
final class SimPeer extends SimNode {
    private static final long KICK_NS = 20 * SimWorld.MS;
    private static final long REFILL_NS = 10 * SimWorld.MS;
    private static final long JOIN_NS = 50 * SimWorld.MS;
    /** How often a peer looks whether its log has failed. */
    private static final long LOG_NS = 1_000 * SimWorld.MS;
    private static final long LEAVE_NS = 3_000 * SimWorld.MS;
    private static final long OPEN_NS = 100 * SimWorld.MS;
    private static final long LEAVE_PAUSE_NS = 50 * SimWorld.MS;

    private final int number;
    private final Plant plant;
    private final PeerConfig config;
    /** The superpeers that the peer has seen last, in a file of its folder. */
    private SuperpeerSet superpeers;
    private final Requests requests;
    private final Observer observer;
    private final long syncNs;
    private final SimDisk disk;
    private boolean isSyncDue;
    /** Whether there is memory for zones that are restored. */
    boolean hasMemory = true;
    private @Nullable PeerCore core;
    private final SimParts parts;
    private @Nullable SimStore store;
    /** The stores of all lives. */
    private final List<SimStore> stores = new ArrayList<>();
    private @Nullable ZoneHost host;
    private @Nullable NodeRef last;
    private long start;
    private String rack = "";
    private boolean isKickDue;
    private boolean isCycleDue;
    private int lives;
    /** Whether the log has failed, and the peer leaves. */
    private boolean isFailed;
    private boolean isWorthless;
    /** The zones that are served while the lease is held. */
    private BitSet served = new BitSet();
    /** How often these have changed. */
    private long servedChanges;

    /** Sees what must be checked at once. */
    @FunctionalInterface
    interface Observer extends MemoryCopyLog.Observer {
        /** A peer has begun to serve a zone; no operation has reached it yet. */
        default void served(SimPeer peer, int zone) {}

        /** A peer whose log has failed has left, and its process has ended. */
        default void left(SimPeer peer) {}

        /** Returns the superpeers of the cluster, for a person who configures a peer; none if they never change. */
        default SuperpeerSet superpeers() {
            return SuperpeerSet.NONE;
        }
    }

    SimPeer(SimWorld world, int number, int superpeers, int backups, LeaseTerms terms, Observer observer,
            Plant plant, SimParts parts) {
        super(world, "peer " + number, world.speed(), world.random.nextLong(1L << 40));
        this.number = number;
        this.parts = parts;
        this.plant = plant;
        this.observer = observer;
        syncNs = world.between(20 * SimWorld.MS, 400 * SimWorld.MS);
        this.superpeers = SuperpeerSet.of(superpeers);
        config = PeerConfig.of(Path.of("peer-" + number), "loop:sim", Collections.nCopies(superpeers, "loop:sim"))
            .withZones(1, backups, 200 * SimWorld.MS)
            .withTerms(plant.peerTerms(terms)).withPlatform(Platform.SYSTEM.withClock(clock));
        requests = SimSuperpeer.requests(world, this, plant::heartbeat);
        disk = parts.disk(this);
    }

    // ---- lives ----

    /** Starts a process. */
    void start() {
        isUp = true;
        isSyncDue = false;
        isFailed = false;
        if (!disk.open()) {
            world.after(this, world.between(OPEN_NS, 10 * OPEN_NS), this::start);
            return;
        }
        world.repeat(this, LOG_NS, () -> {
            lookAtLog();
            return LOG_NS;
        });
        start = world.random.nextLong();
        world.repeat(this, world.random.nextLong(syncNs), () -> {
            disk.work();
            return syncNs;
        });
        if (plant.isSameLife() && last != null) {
            log().hideCopies();
            begin(last);
        } else {
            join();
        }
    }

    /** Ends the process. Its memory is lost, and its log, too, if the disk is. */
    void kill(boolean isDiskLost) {
        endProcess(isDiskLost, false);
    }

    private void endProcess(boolean isDiskLost, boolean hasNoPower) {
        end(hasNoPower);
        noteSuperpeers();
        core = null;
        serve(new BitSet());
        host = null;
        disk.kill();
        if (isDiskLost) {
            isWorthless = false;
            disk.lose();
        }
    }

    /** Ends the process, if there is one, and the machine: the disk keeps what was synced. */
    void cutPower() {
        endProcess(false, true);
        disk.cutPower();
    }

    /** Wakes the thread of the log. */
    void syncSoon() {
        if (!isSyncDue) {
            isSyncDue = true;
            world.after(this, world.between(SimWorld.MS / 2, 8 * SimWorld.MS), () -> {
                isSyncDue = false;
                disk.work();
                kickSoon();
            });
        }
    }

    private void noteSuperpeers() {
        if (core != null && core.tables().superpeers().version() > superpeers.version()) {
            superpeers = core.tables().superpeers();
        }
    }

    /** A person corrects the configuration if none of the superpeers that the peer knows exists any more. */
    private void findSuperpeers() {
        SuperpeerSet now = observer.superpeers();
        if (!now.rows().isEmpty() && superpeers.counting().stream().noneMatch(row -> now.counts(row.number()))) {
            superpeers = now;
        }
    }

    private void askForSuperpeers() {
        if (observer.superpeers().version() > superpeers.version() && world.random.nextInt(4) == 0) {
            var _ = SuperpeerNews.ask(requests, superpeers, JOIN_NS).thenAccept(news ->
                superpeers = news.version() > superpeers.version() ? news : superpeers);
        }
    }

    private void join() {
        findSuperpeers();
        CellClient cell = new CellClient(requests, () -> superpeers);
        Command.Join command = new Command.Join(disk.folder(), start, world.wire().address(this), Roles.PEER);
        world.wire().joins(this);
        attempt(cell, rack.isEmpty() ? command : new ZoneSite(command, rack));
    }

    /** Puts the peer into a rack, before its first start. */
    SimPeer inRack(String name) {
        rack = name;
        return this;
    }

    /** Returns the rack; empty for none. */
    String rack() {
        return rack;
    }

    private void attempt(CellClient cell, Command command) {
        var _ = cell.send(command).thenAccept(reply -> {
            if (reply instanceof CommandReply.Joined joined) {
                world.wire().apart(this, () -> {
                    if (core == null && !isFailed && disk.begins(joined.node().incarnation())) {
                        begin(joined.node());
                    } else if (core == null && !isFailed) {
                        giveUp(joined.node());
                    }
                });
            } else {
                askForSuperpeers();
                world.after(this, JOIN_NS, () -> attempt(cell, command));
            }
        });
    }

    /** Ends a life that the folder has taken no note of, and tries the next one later. */
    private void giveUp(NodeRef life) {
        var _ = new CellClient(requests, () -> superpeers).send(new Command.Ended(life));
        world.after(this, JOIN_NS, () -> {
            start = world.random.nextLong();
            join();
        });
    }

    private void begin(NodeRef node) {
        lives++;
        isKickDue = false;
        isCycleDue = false;
        serve(new BitSet());
        last = node;
        world.named(node.nid(), this);
        world.tell(this + " lives as " + node);
        ShipRing ring = new ShipRing(parts.ringBytes(), clock);
        int life = lives;
        SimStore made = parts.store(this, ring);
        stores.add(made);
        store = made;
        LifeMemory memory = new LifeMemory(ring, made.zones(), () -> hasMemory ? Long.MAX_VALUE : 0,
            task -> world.after(this, world.between(SimWorld.MS, 40 * SimWorld.MS), () -> {
                if (isLife(life)) {
                    task.accept(1);
                }
            }));
        PeerCore begun = new PeerCore(config.withSuperpeers(config.superpeers().with(superpeers)), node, copies(),
            memory, requests,
            (nid, lane, type, bytes, length) -> offer(node, life, nid, lane, type, bytes, length), ends(life));
        core = begun;
        ZoneHost seen = plant.host(this, made.host(begun.host()));
        host = seen;
        world.wire().lives(this, begun, seen);
        world.repeat(this, 0, () -> isLife(life) ? begun.membership().beat() : -1L);
        world.repeat(this, 0, () -> isLife(life) ? cycle(begun) : -1L);
        world.repeat(this, REFILL_NS, () -> {
            if (isLife(life)) {
                begun.refills().work();
            }
            return isLife(life) ? REFILL_NS : -1L;
        });
        world.repeat(this, KICK_NS, () -> {
            if (isLife(life)) {
                begun.shipper().kick();
            }
            return isLife(life) ? KICK_NS : -1L;
        });
    }

    private LifeListener ends(int life) {
        return new LifeListener() {
            @Override
            public void ended() {
                world.after(SimPeer.this, 0, () -> end(life));
            }

            @Override
            public void logFailed() {
                world.after(SimPeer.this, 0, SimPeer.this::lookAtLog);
            }
        };
    }

    /** Returns what lets the process of the current life stop at any point of an operation. */
    Runnable stops() {
        int life = lives;
        return () -> mayStop(life);
    }

    private void mayStop(int life) {
        if (isUp && lives == life) {                            // else the thread of an ended process goes on, unseen
            world.mayStop(this);
        }
    }

    private boolean isLife(int life) {
        return core != null && lives == life;
    }

    private long cycle(PeerCore of) {
        long rest = of.zones().cycle();
        BitSet before = served;
        BitSet now = new BitSet();
        of.servedZones().forEach(now::set);
        serve(now);
        now.stream().filter(zone -> !before.get(zone)).forEach(zone -> {
            plant.served(this, zone);
            observer.served(this, zone);
        });
        plant.cycled(of);
        kickSoon();
        return rest;
    }

    private void serve(BitSet zones) {
        if (!zones.equals(served)) {
            served = zones;
            servedChanges++;
        }
    }

    /** The superpeers have given up a life: everything in memory is worthless. */
    private void end(int life) {
        PeerCore ended = core;
        if (ended == null || lives != life) {
            return;
        }
        world.tell(this + " has expired");
        noteSuperpeers();
        core = null;
        serve(new BitSet());
        host = null;
        ended.membership().close();
        ended.zones().close();
        world.wire().lifeEnds(this);
        ended.shipper().close();
        start = world.random.nextLong();
        join();
    }

    // ---- a log that fails ----

    /** Leaves if the log has failed: serves nothing from here on, says so, and ends the process. */
    private void lookAtLog() {
        CopyLog log = disk.log();
        if (log == null || log.failure() == null || isFailed) {
            return;
        }
        isFailed = true;
        world.tell(this + " leaves: its log has failed");
        isWorthless |= !disk.notesFailure();
        PeerCore left = core;
        core = null;
        serve(new BitSet());
        host = null;
        if (left == null) {
            exit();
            return;
        }
        left.membership().close();
        if (!world.wire().isReal()) {                           // else as in the product, when its network is closed
            left.zones().close();
            left.shipper().close();
        }
        leave(left, world.nowNs() + LEAVE_NS);
    }

    private void leave(PeerCore left, long endNs) {
        var _ = left.sendEnded().thenAccept(reply -> {
            if (reply != null || world.nowNs() >= endNs) {
                exit();
            } else {
                world.after(this, LEAVE_PAUSE_NS, () -> leave(left, endNs));
            }
        });
    }

    private void exit() {
        kill();
        disk.kill();
        observer.left(this);
    }

    @Override
    boolean seesSleep() {
        return plant.seesSleep();
    }

    @Nullable PeerCore core() {
        return isUp ? core : null;
    }

    SimDisk disk() {
        return disk;
    }

    /** Gives all memory back. */
    void free() {
        disk.end();
        stores.forEach(SimStore::close);
    }

    /** Returns the log of the process. */
    CopyLog copies() {
        return Objects.requireNonNull(disk.log());
    }

    /** Returns the model of a log. */
    MemoryCopyLog log() {
        return ((ModelDisk) disk).log();
    }

    Plant plant() {
        return plant;
    }

    Observer observer() {
        return observer;
    }

    int number() {
        return number;
    }

    /** Returns whether the log has failed, and the folder took no note of that: a person must replace the disk. */
    boolean isWorthless() {
        return isWorthless;
    }

    /** Returns the model of the store. */
    @Nullable ModelZones memory() {
        return (ModelZones) store;
    }

    /** Returns the values that the peer has of a zone in memory. */
    Map<Long, Long> values(int zone) {
        return store == null ? Map.of() : store.values(zone);
    }

    /** Returns the entries of the map of a zone in memory. */
    Map<Long, Long> entries(int zone) {
        return store == null ? Map.of() : store.entries(zone);
    }

    /** Returns the life that this peer has told last that it has, or null. */
    @Nullable NodeRef lastLife() {
        return last;
    }

    // ---- messages ----

    private boolean offer(NodeRef from, int life, int nid, int lane, RawType type, MemorySegment memory, int length) {
        SimNode to = world.node(nid);
        if (to == null) {
            throw new NetworkException(Reason.UNREACHABLE, nid, "unknown");
        }
        if (!isLife(life) || !world.isHealed() && world.random.nextInt(50) == 0) {
            return false;
        }
        byte[] bytes = memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        byte[] sent = plant.sent(this, nid, RunTraffic.isRun(type), bytes);
        return world.wire().offer(this, from.nid(), to, nid, lane, type, sent);
    }

    /** Runs or answers have come from another peer. */
    void arrived(int from, boolean isRun, byte[] sent) {
        PeerCore to = core;
        if (to == null) {
            return;
        }
        byte[] bytes = plant.arrived(this, from, isRun, sent);
        if (isRun) {
            world.mayStop(this);
            to.backups().run(from, MemorySegment.ofArray(bytes), 0, bytes.length);
        } else {
            to.traffic().answered(to.shipper(), from, MemorySegment.ofArray(bytes), 0, bytes.length);
        }
        kickSoon();
    }

    /** Messages to a node may have been lost with a session. */
    void lost(int nid) {
        PeerCore to = core;
        if (to != null) {
            to.shipper().lost(nid);
            kickSoon();
        }
    }

    /** Returns the number of lives so far: messages of clients are for one life. */
    int lives() {
        return lives;
    }

    /** Executes an operation that was sent to a life; the answer is passed on unless the life ends before. */
    void execute(int life, byte[] request, Consumer<byte[]> answered) {
        ZoneHost to = host;
        if (to != null && life == lives) {
            Consumer<byte[]> then = answer -> {
                if (isLife(life)) {
                    answered.accept(plant.answered(request, answer));
                }
            };
            if (OperationCalls.isOfMap(request)) {
                OperationCalls.executeLong(to, plant.requested(request), then);
            } else {
                OperationCalls.execute(to, plant.requested(request), then);
            }
            kickSoon();
        }
    }

    /** The threads that ship and act on tables are woken. */
    void kickSoon() {
        PeerCore of = core;
        if (of == null) {
            return;
        }
        int life = lives;
        if (!isKickDue) {
            isKickDue = true;
            int mine = process;
            world.after(this, world.between(0, SimWorld.MS), () -> {
                isKickDue = false;
                if (isLife(life) && process == mine) {
                    of.shipper().kick();
                }
            });
        }
        if (!isCycleDue && of.zones().isWanted()) {
            isCycleDue = true;
            world.after(this, world.between(0, 2 * SimWorld.MS), () -> {
                isCycleDue = false;
                if (isLife(life)) {
                    cycle(of);
                }
            });
        }
    }

    /** Returns the zones that this peer serves while it holds its lease; must not be changed. */
    BitSet served() {
        return served;
    }

    /** Returns how often these zones have changed. */
    long servedChanges() {
        return servedChanges;
    }

    /** Returns whether this peer serves a zone now, if it is not stopped. */
    boolean isServing(int zone) {
        return isRunning() && host != null && host.serving(zone) != null;
    }

    /** Returns whether this life holds its lease now, if it is not stopped. */
    boolean holdsLease(NodeRef life) {
        return isRunning() && core != null && core.node().equals(life) && core.membership().holdsLease();
    }
}
