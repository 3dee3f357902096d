package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.ChunkChange.Condition;
import io.teff.engine.zone.ChunkChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client, with the rules of the real one: it sends an operation to the owner that its tables name, follows rows in
 * answers, and repeats each attempt until the deadline. A change has a ticket of the client's session. So it is
 * recorded once: as done, if any attempt was answered, or as unknown.
 */
final class SimClient extends SimNode {
    private static final long TABLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BEAT_NS = 200 * SimWorld.MS;
    /** One of so many changes arrives twice. */
    private static final int COPY_ODDS = 8;
    private static final int THREADS = 2;
    private static final int CHUNKS = 3;
    private static final int MAP_KEYS = 4;
    private static final List<MapMode> MAP_MODES = List.of(MapMode.SET, MapMode.PUT, MapMode.PUT, MapMode.PUT_IF_ABSENT,
        MapMode.REMOVE, MapMode.DELETE, MapMode.REPLACE_IF_SAME, MapMode.APPLY);
    private static final long LOST_NS_MAX = 3_000 * SimWorld.MS;

    private final Histories histories;
    private final LockHistory locks;
    private final Tables tables;
    private final Requests requests;
    private final SplittableRandom random;
    private final int zonesUsed;
    private final long thinkNs;
    private final int ownerPercent;
    private final CellClient cell;
    /** Newest sequence of each zone and slot. */
    private final Map<List<Integer>, Long> sequences = new HashMap<>();
    /** The known roots of the collections of zones. */
    private final Map<List<Integer>, Long> roots = new HashMap<>();
    private final boolean hasMaps;
    /** Takes the events of the watched maps; null if this client watches none. */
    private @Nullable WatchHistory events;
    /** Watchers by the roots of their maps. */
    private final Map<Long, SimWatcher> watchers = new TreeMap<>();
    private @Nullable SimCollections collections;
    private @Nullable SimRanges ranges;
    private @Nullable SimServices services;
    /** Null if this client keeps no copies. */
    private @Nullable SimNear near;
    private int session;
    private long key;
    private boolean isOpening;
    private long sessionsLost;
    private long repeated;
    private final int readPercent;
    private final int lockPercent;
    private final int groupPercent;
    private final long callNs;
    private boolean isStopped;
    private int open;
    private long done;
    private long unknown;
    private long timedOut;

    /** How a call has ended. */
    enum End {
        /** With its result. */
        DONE,
        /** Nothing was done: others have locked the chunk for as long as the caller waits. */
        LOCKED,
        /** Nothing was done: its token is not that of a lock which is held. */
        FENCED,
        /** Nothing was done: there is no such map. */
        ABSENT,
        /** Without an answer. */
        GIVEN_UP
    }

    /** The result of a call, and when the message that was answered was sent; that of a change, or one before it. */
    record Outcome(End end, long result, int session, long calledNs, long sentNs) {}

    /** Finds the end of a call. */
    @FunctionalInterface
    interface Ended {
        void ended(Outcome outcome);
    }

    /** One operation until it is done, or its deadline has passed. */
    private final class Call {
        private final SimAsk operation;
        private final Ended then;
        private final int slot;
        private final long beganNs = world.nowNs();
        private final long deadlineNs;
        private final long waitUntilNs;
        /** When the attempt was sent that found no lock of others in its way; or one before it. */
        private long freeNs = world.nowNs();
        /** Session whose ticket the request has; 0 for none. */
        private int named;
        private byte[] request = {};
        private boolean mayBeDone;
        private boolean isOver;

        Call(SimAsk operation, int slot, long limitNs, long waitNs, Ended then) {
            this.operation = operation;
            deadlineNs = world.nowNs() + limitNs;
            waitUntilNs = world.nowNs() + waitNs;
            this.then = then;
            this.slot = slot;
            open++;
        }

        /** Writes the request; a change gets a ticket, which it keeps as long as its session. */
        private void write() {
            if (!operation.isChange()) {
                request = operation.request(0, 0);
            } else if (named == 0) {                            // else it keeps it if another session was opened
                named = session;
                request = operation.request(session,
                    Ticket.of(sequences.merge(List.of(Cid.nid(operation.cid()), slot), 1L, Long::sum), slot));
            }
        }

        /** Ends the call without an answer. */
        private void giveUp() {
            if (mayBeDone) {
                unknown++;
                operation.unknown(histories, beganNs, name);
            }
            end(End.GIVEN_UP, 0, 0);
        }

        void attempt() {
            if (world.nowNs() >= deadlineNs) {
                timedOut++;
                giveUp();
                return;
            }
            if (operation.isChange() && session == 0) {
                openSession();
                again();
                return;
            }
            ZoneRow row = tables.zone(Cid.nid(operation.cid()));
            SimNode owner = row == null || row.owner() == null || !row.state().isServed() ? null
                : world.node(row.owner().nid());
            if (!(owner instanceof SimPeer peer)) {
                again();
                return;
            }
            write();
            boolean isLast = world.nowNs() >= waitUntilNs && operation.waitsForLocks();
            byte[] bytes = isLast ? OperationCalls.givingUp(request) : request;
            Attempt attempt = new Attempt(this, world.nowNs(), isLast);
            world.after(SimClient.this, world.between(100 * SimWorld.MS, Math.min(LOST_NS_MAX, callNs)),
                attempt::lost);
            attempt.send(peer, row.owner().nid(), bytes);
            if (operation.isChange() && random.nextInt(COPY_ODDS) == 0) {
                // More than sessions allow. What comes back is no answer to the first message; it may be done alone.
                mayBeDone = true;
                world.wire().operation(SimClient.this, peer, row.owner().nid(), bytes, callNs, SimWire.Told.NOBODY);
            }
        }

        private void again() {
            world.after(SimClient.this, world.between(SimWorld.MS, 40 * SimWorld.MS), this::attempt);
        }

        private void end(End how, long result, long sentNs) {
            if (isOver) {
                throw new AssertionError("a call ends twice");
            }
            isOver = true;
            open--;
            done += how == End.DONE ? 1 : 0;
            then.ended(new Outcome(how, result, named, beganNs, operation.isChange() ? freeNs : sentNs));
        }
    }

    /** One message of a call, which is answered, or lost. */
    private final class Attempt implements SimWire.Told {
        private final Call call;
        private final long beganNs;
        private final boolean isLast;
        private Runnable giveUp = () -> { };
        private boolean isOver;

        Attempt(Call call, long beganNs, boolean isLast) {
            this.call = call;
            this.beganNs = beganNs;
            this.isLast = isLast;
        }

        private void send(SimPeer owner, int nid, byte[] bytes) {
            giveUp = world.wire().operation(SimClient.this, owner, nid, bytes,
                Math.max(call.deadlineNs - world.nowNs(), 1), this);
        }

        @Override
        public void failed(NetworkException why, boolean isSent) {
            if (isOver) {
                return;
            }
            isOver = true;
            switch (isSent ? why.reason() : Reason.FULL) {
                case UNREACHABLE, NO_HANDLER, REFUSED, FULL -> call.again();
                case FAILED -> {
                    call.mayBeDone |= call.operation.isChange();
                    call.giveUp();
                }
                default -> maybe();
            }
        }

        private void lost() {
            if (!isOver) {
                isOver = true;
                giveUp.run();
                maybe();
            }
        }

        /** It is not known whether the attempt was done. */
        private void maybe() {
            call.mayBeDone |= call.operation.isChange();
            repeated += call.operation.isChange() ? 1 : 0;
            call.again();
        }

        /** The session has ended: what may be done stays unknown, the rest is done in the next session. */
        private void expired() {
            if (call.named == session) {
                sessionEnded();
            }
            if (call.mayBeDone) {
                call.giveUp();
            } else {
                call.named = 0;
                call.again();
            }
        }

        @Override
        public void answered(byte[] bytes) {
            if (isOver) {
                return;                                         // given up, or answered twice
            }
            isOver = true;
            OperationAnswer answer = call.operation.read(bytes);
            switch (answer.code()) {
                case OperationFormat.DONE -> {
                    call.operation.done(histories, locks, answer, call.beganNs, beganNs, world.nowNs(), name);
                    call.end(End.DONE, answer.result(), beganNs);
                }
                case OperationFormat.NOT_HERE -> {
                    ZoneRow row = answer.row();
                    if (row != null && tables.update(row)) {
                        call.attempt();
                    } else {
                        call.again();
                    }
                }
                case OperationFormat.BUSY -> call.again();
                case OperationFormat.LOCKED -> {
                    if (isLast) {
                        call.end(End.LOCKED, Status.LOCKED, beganNs);
                    } else {
                        call.freeNs = beganNs;
                        world.after(SimClient.this, world.between(SimWorld.MS, 20 * SimWorld.MS), call::attempt);
                    }
                }
                case OperationFormat.FENCED -> call.end(End.FENCED, 0, beganNs);
                case OperationFormat.DEPOSED -> maybe();
                case OperationFormat.EXPIRED -> expired();
                case OperationFormat.ABSENT -> call.end(call.operation.isOfCollection() ? End.ABSENT : End.DONE,
                    Status.ABSENT, beganNs);
                default -> throw new AssertionError("code " + answer.code() + " of " + call.operation.type()
                    + (answer.code() == OperationFormat.REFUSED ? ": " + answer.refusal() : ""));
            }
        }
    }

    SimClient(SimWorld world, int number, int superpeers, Histories histories, LockHistory locks,
              Mix.@Nullable Load load, boolean hasMaps) {
        super(world, "client " + number, 1, 0);
        this.hasMaps = hasMaps;
        tables = new Tables(SuperpeerSet.of(superpeers));
        this.histories = histories;
        this.locks = locks;
        requests = SimSuperpeer.requests(world, this);
        random = world.random;
        cell = new CellClient(requests, tables::superpeers);
        key = random.nextLong();
        zonesUsed = 1 + random.nextInt(load == null ? 5 : load.zones());
        thinkNs = load == null ? world.between(2 * SimWorld.MS, 60 * SimWorld.MS) : load.thinkMs() * SimWorld.MS;
        ownerPercent = random.nextInt(3) == 0 ? 20 : 0;
        readPercent = load == null ? Mix.Load.READ_PERCENT : load.readPercent();
        callNs = (load == null ? Mix.Load.CALL_MS : load.callMs()) * SimWorld.MS;
        lockPercent = load != null ? load.lockPercent() : random.nextInt(3) == 0 ? random.nextInt(30) : 0;
        groupPercent = load != null ? load.groupPercent() : random.nextInt(3) == 0 ? random.nextInt(30) : 0;
        isUp = true;
    }

    /** Uses a sorted map in ranges from now on. */
    void withRanges(SimObjects objects) {
        ranges = new SimRanges(this, objects);
    }

    /** Returns how many slices of ranges this client has moved. */
    long slices() {
        return ranges == null ? 0 : ranges.moved();
    }

    /** Lets the client use all kinds of collections, and no chunks. */
    void withCollections(SimObjects objects) {
        collections = new SimCollections(this, objects);
    }

    /** Lets the client use services, too. */
    void withServices(SimObjects objects, SimHolds holds) {
        services = new SimServices(this, objects, holds, requests, THREADS);
    }

    /** Lets the client keep copies of the entries of maps. */
    void withNearCaches(Plant plant) {
        near = new SimNear(world, histories, plant, name);
    }

    /** Returns how many reads had a copy. */
    long hits() {
        return near == null ? 0 : near.hits();
    }

    /** A call of another kind begins. */
    void callBegins() {
        open++;
    }

    /** A call of another kind has ended. */
    void callEnds(boolean isDone) {
        open--;
        done += isDone ? 1 : 0;
    }

    void start() {
        world.wire().begun(this);
        if (services != null) {
            services.start();
        }
        world.repeat(this, 0, () -> {
            refresh();
            return world.between(20 * SimWorld.MS, 80 * SimWorld.MS);
        });
        world.repeat(this, BEAT_NS, () -> {
            beat();
            return BEAT_NS;
        });
        for (int i = 0; i < THREADS; i++) {
            next(i);
        }
    }

    private void refresh() {
        List<SuperpeerRow> rows = tables.superpeers().rows();
        int superpeer = rows.get(random.nextInt(rows.size())).number();
        try {
            var _ = requests.request(CellMessages.nid(superpeer), CellMessages.TABLE,
                new TableRequest(tables.version()), TABLE_NS).thenAccept(tables::update);
        } catch (NetworkException _) {
            return;                                             // it was not sent
        }
    }

    // ---- the session ----

    private void openSession() {
        if (isOpening) {
            return;
        }
        isOpening = true;
        long with = key;
        var _ = cell.send(new Command.ClientOpen(with)).thenAccept(reply -> {
            isOpening = false;
            if (reply instanceof CommandReply.SessionOpened opened && with == key && session == 0) {
                session = opened.session();
                sequences.clear();
            }
        });
    }

    private void sessionEnded() {
        session = 0;
        key = random.nextLong();
        sessionsLost++;
    }

    private void beat() {
        int mine = session;
        if (mine != 0) {
            tables.superpeers().rows().forEach(row -> beat(mine, row.number()));
        }
    }

    private void beat(int mine, int superpeer) {
        try {
            var _ = requests.request(CellMessages.nid(superpeer), CellMessages.SESSION, new SessionBeat(mine), TABLE_NS)
                .thenAccept(answer -> {
                    if (answer.hasEnded() && session == mine) {
                        sessionEnded();
                    }
                });
        } catch (NetworkException _) {
            return;                                             // it was not sent
        }
    }

    /** Returns how many changes were sent again although they may have been done. */
    long repeated() {
        return repeated;
    }

    long sessionsLost() {
        return sessionsLost;
    }

    Tables tables() {
        return tables;
    }

    /** Begins no further operation of its own. */
    void stop() {
        isStopped = true;
    }

    int open() {
        return open;
    }

    long done() {
        return done;
    }

    long unknown() {
        return unknown;
    }

    long timedOut() {
        return timedOut;
    }

    private void next(int slot) {
        world.after(this, world.between(0, 2 * thinkNs), () -> {
            List<ZoneRow> rows = tables.zones().stream().filter(row -> row.state() != ZoneState.LOST).toList();
            if (!isStopped && rows.isEmpty()) {
                next(slot);
            } else if (!isStopped) {
                int zone = rows.get(random.nextInt(Math.min(rows.size(), zonesUsed))).zone();
                int kind = random.nextInt(100);
                if (ranges != null) {
                    ranges.begin(slot, () -> next(slot));
                } else if (collections != null) {
                    collections.begin(zone, slot, () -> next(slot));
                } else if (hasMaps) {
                    beginMap(zone, slot);
                } else if (kind < lockPercent) {
                    open++;
                    new SimLocker(this, locks, histories, slot, chunk(zone), () -> {
                        open--;
                        next(slot);
                    }).begin();
                } else if (kind < lockPercent + groupPercent) {
                    call(SimOperation.group(level(), group(zone), null), slot, lockWaitNs(), _ -> next(slot));
                } else {
                    begin(zone, slot);
                }
            }
        });
    }

    /** Returns a chunk that can be locked. */
    private long chunk(int zone) {
        return Cid.of(zone, groupPercent > 0 && random.nextInt(2) == 0
            ? ModelZones.GROUP + random.nextInt(ModelZones.GROUP_CHUNKS) : 1 + random.nextInt(CHUNKS));
    }

    /** Returns some changes of the chunks of a zone that groups change. */
    List<ChunkChange> group(int zone) {
        List<ChunkChange> changes = new ArrayList<>();
        int without = random.nextInt(ModelZones.GROUP_CHUNKS + 1);
        for (int i = 0; i < ModelZones.GROUP_CHUNKS; i++) {
            if (i != without) {
                changes.add(part(Cid.of(zone, ModelZones.GROUP + i)));
            }
        }
        return changes;
    }

    private ChunkChange part(long cid) {
        int drawn = random.nextInt(20);
        Condition condition = drawn < 12 ? Condition.NONE : drawn < 15 ? Condition.PRESENT
            : drawn < 19 ? Condition.EQUAL : Condition.ABSENT;
        int change = random.nextInt(20);
        Change what = condition == Condition.ABSENT || change < 2 ? Change.NONE
            : change == 2 ? Change.REMOVE : Change.PUT;
        return new ChunkChange(cid, condition, condition == Condition.EQUAL ? Histories.bytes(histories.guess(cid))
            : null, what, what == Change.PUT ? Histories.bytes(histories.nextValue()) : null);
    }

    WriteLevel level() {
        return random.nextInt(100) < ownerPercent ? WriteLevel.OWNER
            : random.nextInt(5) == 0 ? WriteLevel.BACKED_SYNCED : WriteLevel.BACKED;
    }

    long lockWaitNs() {
        return world.between(0, 800 * SimWorld.MS);
    }

    boolean isStopped() {
        return isStopped;
    }

    /** Does an operation. */
    void call(SimAsk operation, int slot, long waitNs, Ended then) {
        new Call(operation, slot, callNs, waitNs, then).attempt();
    }

    private void begin(int zone, int slot) {
        boolean isPair = random.nextInt(4) == 0;
        long cid = isPair ? Cid.of(zone, ModelZones.PAIR + random.nextInt(2)) : chunk(zone);
        long value = histories.nextValue();
        int change = random.nextInt(6);
        OperationType type = random.nextInt(100) < readPercent ? OperationType.GET
            : change < 4 || isPair ? OperationType.PUT
            : change == 4 ? OperationType.REMOVE : OperationType.COMPARE_AND_SET;
        boolean isSecond = Cid.index(cid) == ModelZones.PAIR + 1;
        long at = type == OperationType.PUT && isSecond ? cid - 1 : cid;    // a pair is changed by its first chunk
        call(SimOperation.of(type, level(), at, histories.guess(cid), value, null), slot, lockWaitNs(),
            _ -> next(slot));
    }

    private void beginMap(int zone, int slot) {
        int key = random.nextInt(MAP_KEYS + 1);
        boolean isOfQueue = key == MAP_KEYS;
        long cid = Cid.of(zone, isOfQueue ? SimOperation.QUEUE_INDEX : SimOperation.MAP_INDEX + key);
        Long root = roots.get(rootKey(cid));
        if (root == null) {
            openMap(cid, slot, isDone -> next(slot));
            return;
        }
        if (isOfQueue) {
            call(SimOperation.queue(root, random.nextBoolean() ? 0 : histories.nextValue()), slot, 0,
                _ -> next(slot));
            return;
        }
        boolean hasFunctions = SimOperation.kindOf(cid) == SimOperation.Kind.MAP;
        MapMode mode = random.nextInt(100) < readPercent ? null
            : MAP_MODES.get(random.nextInt(MAP_MODES.size() - (hasFunctions ? 0 : 1)));
        SimNear copies = near;
        if (copies != null && mode == null && copies.isRead(root, cid)) {
            done++;
            next(slot);
            return;
        }
        SimOperation operation = SimOperation.map(mode, level(), root, key, histories.guess(cid),
            histories.nextValue());
        call(copies == null ? operation : copies.of(root, operation, mode), slot, 0, outcome -> {
            if (outcome.end() == End.ABSENT) {
                roots.remove(rootKey(cid));                     // a power cut has taken the map, or the zone
            }
            if (copies != null && mode != null) {
                copies.changed(root, cid);                      // also without an answer
            }
            next(slot);
        });
    }

    /** Names a collection of a zone. */
    private static List<Integer> rootKey(long cid) {
        return List.of(Cid.nid(cid), SimOperation.kindOf(cid).ordinal());
    }

    /** Opens the collection of an operation. */
    private void openMap(long cid, int slot, Consumer<Boolean> then) {
        call(SimOperation.mapOpen(Cid.nid(cid), SimOperation.kindOf(cid)), slot, 0, outcome -> {
            if (outcome.end() == End.DONE) {
                roots.put(rootKey(cid), outcome.result());
                begun(SimOperation.kindOf(cid), outcome.result());
            }
            then.accept(outcome.end() == End.DONE);
        });
    }

    /** Watches maps that this client opens from now on. */
    void watch(WatchHistory of) {
        events = of;
    }

    private void begun(SimOperation.Kind kind, long root) {
        WatchHistory of = events;
        if (of != null && kind != SimOperation.Kind.QUEUE) {
            watchers.computeIfAbsent(root, _ -> {
                SimWatcher watcher = new SimWatcher(this, root, of);
                watcher.ask();
                return watcher;
            });
        }
    }

    Collection<SimWatcher> watchers() {
        return watchers.values();
    }

    /** Reads an entry of a map until that is done; opens the map first if need be. */
    private void readMap(long cid, Consumer<Boolean> then) {
        Long root = roots.get(rootKey(cid));
        if (root == null) {
            openMap(cid, 0, isDone -> {
                if (isDone) {
                    readMap(cid, then);
                } else {
                    then.accept(false);
                }
            });
            return;
        }
        long limitNs = Mix.Load.CALL_MS * SimWorld.MS;
        new Call(SimOperation.map(null, WriteLevel.BACKED, root, (int) (Cid.index(cid) - SimOperation.MAP_INDEX), 0, 0),
            0, limitNs, limitNs, outcome -> then.accept(outcome.end() == End.DONE)).attempt();
    }

    /** Reads a chunk, or an entry of a map, until that is done. */
    void read(long cid, Consumer<Boolean> then) {
        if (Cid.index(cid) >= SimOperation.MAP_INDEX) {
            readMap(cid, then);
            return;
        }
        long limitNs = Mix.Load.CALL_MS * SimWorld.MS;
        new Call(SimOperation.of(OperationType.GET, WriteLevel.BACKED, cid, 0, 0, null), 0, limitNs, limitNs,
            outcome -> then.accept(outcome.end() == End.DONE)).attempt();
    }
}
