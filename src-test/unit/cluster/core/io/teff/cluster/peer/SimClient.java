package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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
    private static final long LOST_NS_MAX = 3_000 * SimWorld.MS;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Histories histories;
    private final Tables tables = new Tables();
    private final Requests requests;
    private final SplittableRandom random;
    private final int superpeers;
    private final int zonesUsed;
    private final long thinkNs;
    private final int ownerPercent;
    private final CellClient cell;
    /** Newest sequence of each zone and slot. */
    private final Map<List<Integer>, Long> sequences = new HashMap<>();
    private int session;
    private long key;
    private boolean isOpening;
    private long sessionsLost;
    private long repeated;
    private final int readPercent;
    private final long callNs;
    private boolean isStopped;
    private int open;
    private long done;
    private long unknown;
    private long timedOut;

    /** Finds the end of a call. */
    @FunctionalInterface
    interface Ended {
        void ended(boolean isDone);
    }

    /** One operation until it is done, or its deadline has passed. */
    private final class Call {
        private final OperationType type;
        private final WriteLevel level;
        private final long cid;
        private final long expected;
        private final long value;
        private final Ended then;
        private final int slot;
        private final long beganNs = world.nowNs();
        private final long deadlineNs;
        /** Session whose ticket the request has; 0 for none. */
        private int named;
        private byte[] request = {};
        private boolean mayBeDone;
        private boolean isOver;

        Call(OperationType type, WriteLevel level, long cid, long expected, long value, int slot, long limitNs,
             Ended then) {
            this.type = type;
            deadlineNs = world.nowNs() + limitNs;
            this.level = level;
            this.cid = cid;
            this.expected = expected;
            this.value = value;
            this.then = then;
            this.slot = slot;
            open++;
        }

        /** Writes the request; a change gets a ticket, which it keeps as long as its session. */
        private void write() {
            if (!type.isChange()) {
                request = OperationCalls.request(type, level, 0, ModelZones.BYTES, cid);
                return;
            }
            if (named != 0) {
                return;                                         // also if another session was opened meanwhile
            }
            named = session;
            long ticket = Ticket.of(sequences.merge(List.of(Cid.nid(cid), slot), 1L, Long::sum), slot);
            request = switch (type) {
                case PUT -> OperationCalls.change(type, level, 0, ModelZones.BYTES, cid, session, ticket, value);
                case COMPARE_AND_SET -> OperationCalls.change(type, level, ModelZones.BYTES, 0, cid, session, ticket, 0,
                    expected, value);
                default -> OperationCalls.change(type, level, 0, 0, cid, session, ticket);
            };
        }

        /** Ends the call without an answer. */
        private void giveUp() {
            if (mayBeDone) {
                unknown++;
                switch (type) {
                    case PUT -> histories.unknownWrite(cid, beganNs, value, name);
                    case REMOVE -> histories.unknownWrite(cid, beganNs, Histories.ABSENT, name);
                    case COMPARE_AND_SET -> histories.unknownUpdate(cid, beganNs, expected, value, name);
                    default -> { }
                }
            }
            end(false);
        }

        void attempt() {
            if (world.nowNs() >= deadlineNs) {
                timedOut++;
                giveUp();
                return;
            }
            if (type.isChange() && session == 0) {
                openSession();
                again();
                return;
            }
            ZoneRow row = tables.zone(Cid.nid(cid));
            SimNode owner = row == null || row.owner() == null || !row.state().isServed() ? null
                : world.node(row.owner().nid());
            if (!(owner instanceof SimPeer peer)) {
                again();
                return;
            }
            write();
            byte[] bytes = request;
            int life = peer.lives();
            Attempt attempt = new Attempt(this, world.nowNs());
            world.after(SimClient.this, world.between(100 * SimWorld.MS, Math.min(LOST_NS_MAX, callNs)),
                attempt::lost);
            world.sendOnce(SimClient.this, peer, () -> peer.execute(life, bytes, answer ->
                world.send(peer, SimClient.this, () -> attempt.answered(answer))));
            if (type.isChange() && random.nextInt(COPY_ODDS) == 0) {
                // More than sessions allow. What comes back is no answer to the first message.
                world.sendOnce(SimClient.this, peer, () -> peer.execute(life, bytes, _ -> { }));
            }
        }

        private void again() {
            world.after(SimClient.this, world.between(SimWorld.MS, 40 * SimWorld.MS), this::attempt);
        }

        private void end(boolean isDone) {
            if (isOver) {
                throw new AssertionError("a call ends twice");
            }
            isOver = true;
            open--;
            done += isDone ? 1 : 0;
            then.ended(isDone);
        }
    }

    /** One message of a call, which is answered, or lost. */
    private final class Attempt {
        private final Call call;
        private final long beganNs;
        private boolean isOver;

        Attempt(Call call, long beganNs) {
            this.call = call;
            this.beganNs = beganNs;
        }

        private void lost() {
            if (!isOver) {
                isOver = true;
                maybe();
            }
        }

        /** It is not known whether the attempt was done. */
        private void maybe() {
            call.mayBeDone |= call.type.isChange();
            repeated += call.type.isChange() ? 1 : 0;
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

        private void answered(byte[] bytes) {
            if (isOver) {
                return;                                         // given up, or answered twice
            }
            isOver = true;
            OperationAnswer answer = OperationAnswer.read(bytes, call.type, ModelZones.BYTES);
            switch (answer.code()) {
                case OperationFormat.DONE -> done(answer);
                case OperationFormat.NOT_HERE -> {
                    ZoneRow row = answer.row();
                    if (row != null && tables.update(row)) {
                        call.attempt();
                    } else {
                        call.again();
                    }
                }
                case OperationFormat.BUSY -> call.again();
                case OperationFormat.DEPOSED -> maybe();
                case OperationFormat.EXPIRED -> expired();
                case OperationFormat.ABSENT -> call.end(true);
                default -> throw new AssertionError("code " + answer.code() + " of " + call.type);
            }
        }

        private void done(OperationAnswer answer) {
            long now = world.nowNs();
            String note = name + ", " + call.level;
            switch (call.type) {
                case GET -> histories.read(call.cid, beganNs, now, answer.result() == Status.ABSENT ? Histories.ABSENT
                    : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES), name);
                case PUT -> histories.write(call.cid, call.beganNs, now, call.value, call.level, note);
                case REMOVE -> {
                    if (answer.result() == Status.ABSENT) {
                        histories.read(call.cid, call.beganNs, now, Histories.ABSENT, name + ", remove");
                    } else {
                        histories.write(call.cid, call.beganNs, now, Histories.ABSENT, call.level, note + ", remove");
                    }
                }
                case COMPARE_AND_SET -> {
                    if (answer.result() == 1) {
                        histories.update(call.cid, call.beganNs, now, call.expected, call.value, call.level, note);
                    }
                }
                default -> throw new AssertionError(call.type);
            }
            call.end(true);
        }
    }

    SimClient(SimWorld world, int number, int superpeers, Histories histories, Mix.@Nullable Load load) {
        super(world, "client " + number, 1, 0);
        this.superpeers = superpeers;
        this.histories = histories;
        requests = SimSuperpeer.requests(world, this);
        random = world.random;
        cell = new CellClient(requests, superpeers);
        key = random.nextLong();
        zonesUsed = 1 + random.nextInt(load == null ? 5 : load.zones());
        thinkNs = load == null ? world.between(2 * SimWorld.MS, 60 * SimWorld.MS) : load.thinkMs() * SimWorld.MS;
        ownerPercent = random.nextInt(3) == 0 ? 20 : 0;
        readPercent = load == null ? Mix.Load.READ_PERCENT : load.readPercent();
        callNs = (load == null ? Mix.Load.CALL_MS : load.callMs()) * SimWorld.MS;
        isUp = true;
    }

    void start() {
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
        var _ = requests.request(CellMessages.nid(random.nextInt(superpeers)), CellMessages.TABLE,
            new TableRequest(tables.version()), TABLE_NS).thenAccept(tables::update);
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
            if (reply instanceof Reply.SessionOpened opened && with == key && session == 0) {
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
        for (int superpeer = 0; mine != 0 && superpeer < superpeers; superpeer++) {
            var _ = requests.request(CellMessages.nid(superpeer), CellMessages.SESSION, new SessionBeat(mine), TABLE_NS)
                .thenAccept(answer -> {
                    if (answer.hasEnded() && session == mine) {
                        sessionEnded();
                    }
                });
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
                boolean isPair = random.nextInt(4) == 0;
                long cid = Cid.of(zone, isPair ? ModelZones.PAIR + random.nextInt(2) : 1 + random.nextInt(CHUNKS));
                begin(cid, isPair, slot);
            }
        });
    }

    private void begin(long cid, boolean isPair, int slot) {
        WriteLevel level = random.nextInt(100) < ownerPercent ? WriteLevel.OWNER
            : random.nextInt(5) == 0 ? WriteLevel.BACKED_SYNCED : WriteLevel.BACKED;
        long value = histories.nextValue();
        int change = random.nextInt(6);
        OperationType type = random.nextInt(100) < readPercent ? OperationType.GET
            : change < 4 || isPair ? OperationType.PUT
            : change == 4 ? OperationType.REMOVE : OperationType.COMPARE_AND_SET;
        boolean isSecond = Cid.index(cid) == ModelZones.PAIR + 1;
        long at = type == OperationType.PUT && isSecond ? cid - 1 : cid;    // a pair is changed by its first chunk
        new Call(type, level, at, histories.guess(cid), value, slot, callNs, _ -> next(slot)).attempt();
    }

    /** Reads a chunk until that is done. */
    void read(long cid, Ended then) {
        new Call(OperationType.GET, WriteLevel.BACKED, cid, 0, 0, 0, Mix.Load.CALL_MS * SimWorld.MS, then).attempt();
    }
}
