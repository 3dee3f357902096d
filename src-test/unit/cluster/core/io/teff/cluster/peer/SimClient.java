package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.TableRequest;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client, with the rules of the real one: it sends an operation to the owner that its tables name, follows rows in
 * answers, repeats until the deadline what may be repeated, and does not repeat a compare-and-set that may be done.
 * Every attempt is recorded: one without an answer as unknown.
 */
final class SimClient extends SimNode {
    private static final long TABLE_NS = TimeUnit.SECONDS.toNanos(1);
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
        private final long deadlineNs;
        private final byte[] request;
        private boolean mayBeDone;
        private boolean isOver;

        Call(OperationType type, WriteLevel level, long cid, long expected, long value, long limitNs, Ended then) {
            this.type = type;
            deadlineNs = world.nowNs() + limitNs;
            this.level = level;
            this.cid = cid;
            this.expected = expected;
            this.value = value;
            this.then = then;
            request = switch (type) {
                case PUT -> OperationCalls.request(type, level, 0, ModelZones.BYTES, cid, value);
                case COMPARE_AND_SET -> OperationCalls.request(type, level, ModelZones.BYTES, 0, cid, 0, expected,
                    value);
                case GET -> OperationCalls.request(type, level, 0, ModelZones.BYTES, cid);
                default -> OperationCalls.request(type, level, 0, 0, cid);
            };
            open++;
        }

        void attempt() {
            if (world.nowNs() >= deadlineNs) {
                timedOut++;
                unknown += mayBeDone ? 1 : 0;
                end(false);
                return;
            }
            ZoneRow row = tables.zone(Cid.nid(cid));
            SimNode owner = row == null || row.owner() == null || !row.state().isServed() ? null
                : world.node(row.owner().nid());
            if (!(owner instanceof SimPeer peer)) {
                again();
                return;
            }
            Attempt attempt = new Attempt(this, world.nowNs());
            world.after(SimClient.this, world.between(100 * SimWorld.MS, Math.min(LOST_NS_MAX, callNs)),
                attempt::lost);
            world.sendOnce(SimClient.this, peer, () -> peer.execute(request, bytes ->
                world.sendOnce(peer, SimClient.this, () -> attempt.answered(bytes))));
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
            switch (call.type) {
                case PUT -> histories.unknownWrite(call.cid, beganNs, call.value, name);
                case REMOVE -> histories.unknownWrite(call.cid, beganNs, Histories.ABSENT, name);
                case COMPARE_AND_SET -> histories.unknownUpdate(call.cid, beganNs, call.expected, call.value, name);
                default -> { }
            }
            call.mayBeDone |= call.type.isChange();
            if (call.type.isRepeatable()) {
                call.again();
            } else {
                unknown++;
                call.end(false);
            }
        }

        private void answered(byte[] bytes) {
            if (isOver) {
                return;                                         // recorded as unknown already
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
                case PUT -> histories.write(call.cid, beganNs, now, call.value, call.level, note);
                case REMOVE -> {
                    if (answer.result() == Status.ABSENT) {
                        histories.read(call.cid, beganNs, now, Histories.ABSENT, name + ", remove");
                    } else {
                        histories.write(call.cid, beganNs, now, Histories.ABSENT, call.level, note + ", remove");
                    }
                }
                case COMPARE_AND_SET -> {
                    if (answer.result() == 1) {
                        histories.update(call.cid, beganNs, now, call.expected, call.value, call.level, note);
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
        for (int i = 0; i < THREADS; i++) {
            next();
        }
    }

    private void refresh() {
        var _ = requests.request(CellMessages.nid(random.nextInt(superpeers)), CellMessages.TABLE,
            new TableRequest(tables.version()), TABLE_NS).thenAccept(tables::update);
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

    private void next() {
        world.after(this, world.between(0, 2 * thinkNs), () -> {
            List<ZoneRow> rows = tables.zones().stream().filter(row -> row.state() != ZoneState.LOST).toList();
            if (!isStopped && rows.isEmpty()) {
                next();
            } else if (!isStopped) {
                int zone = rows.get(random.nextInt(Math.min(rows.size(), zonesUsed))).zone();
                boolean isPair = random.nextInt(4) == 0;
                long cid = Cid.of(zone, isPair ? ModelZones.PAIR + random.nextInt(2) : 1 + random.nextInt(CHUNKS));
                begin(cid, isPair);
            }
        });
    }

    private void begin(long cid, boolean isPair) {
        WriteLevel level = random.nextInt(100) < ownerPercent ? WriteLevel.OWNER
            : random.nextInt(5) == 0 ? WriteLevel.BACKED_SYNCED : WriteLevel.BACKED;
        long value = histories.nextValue();
        int change = random.nextInt(6);
        OperationType type = random.nextInt(100) < readPercent ? OperationType.GET
            : change < 4 || isPair ? OperationType.PUT
            : change == 4 ? OperationType.REMOVE : OperationType.COMPARE_AND_SET;
        boolean isSecond = Cid.index(cid) == ModelZones.PAIR + 1;
        long at = type == OperationType.PUT && isSecond ? cid - 1 : cid;    // a pair is changed by its first chunk
        new Call(type, level, at, histories.guess(cid), value, callNs, _ -> next()).attempt();
    }

    /** Reads a chunk until that is done. */
    void read(long cid, Ended then) {
        new Call(OperationType.GET, WriteLevel.BACKED, cid, 0, 0, Mix.Load.CALL_MS * SimWorld.MS, then).attempt();
    }
}
