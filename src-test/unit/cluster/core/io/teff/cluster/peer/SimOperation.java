package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.peer.Histories.Span;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.zone.ChunkChange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a call of a simulated client asks for, and what its answer says about the history of the chunks.
 *
 * @param type the operation
 * @param level of a change; the histories demand that no failure takes a read back, so reads are at BACKED
 * @param cid the chunk, or the first one of a group
 * @param expected of a compare-and-set
 * @param value the new one; of a lock: 1 for the write lock
 * @param leaseNs of a lock
 * @param held the lock whose token it presents, or that it renews, swaps or releases; or null
 * @param group the parts of a group
 */
record SimOperation(OperationType type, WriteLevel level, long cid, long expected, long value, long leaseNs,
                    LockHistory.@Nullable Hold held, List<ChunkChange> group) {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** An operation on one chunk; by the holder of its lock if there is one. */
    static SimOperation of(OperationType type, WriteLevel level, long cid, long expected, long value,
                           LockHistory.@Nullable Hold held) {
        return new SimOperation(type, level, cid, expected, value, 0, held, List.of());
    }

    static SimOperation group(WriteLevel level, List<ChunkChange> changes, LockHistory.@Nullable Hold held) {
        return new SimOperation(OperationType.GROUP, level, changes.getFirst().cid(), 0, 0, 0, held, changes);
    }

    /** Takes a lock, or exchanges the one that is held. */
    static SimOperation lock(WriteLevel level, long cid, boolean isWrite, long leaseNs,
                             LockHistory.@Nullable Hold held) {
        return new SimOperation(held == null ? OperationType.LOCK : OperationType.SWAP_LOCK, level, cid, 0,
            isWrite ? OperationFormat.WRITE_LOCK : 0, leaseNs, held, List.of());
    }

    boolean isChange() {
        return type.isChange();
    }

    /** Whether it is refused while others have locked the chunk. */
    boolean waitsForLocks() {
        return type != OperationType.UNLOCK && type != OperationType.RENEW_LOCK;
    }

    /** Whether its result is a lock, or about one. */
    private boolean isOfLocks() {
        return switch (type) {
            case LOCK, SWAP_LOCK, UNLOCK, RENEW_LOCK -> true;
            default -> false;
        };
    }

    /** Returns the request; a change names a session and has a ticket. */
    byte[] request(int session, long ticket) {
        long token = held == null ? 0 : held.token;
        return switch (type) {
            case GET -> OperationCalls.held(type, WriteLevel.BACKED, 0, ModelZones.BYTES, cid, token, 0, 0);
            case PUT -> OperationCalls.held(type, level, 0, ModelZones.BYTES, cid, token, session, ticket, value);
            case REMOVE -> OperationCalls.held(type, level, 0, 0, cid, token, session, ticket);
            case COMPARE_AND_SET -> OperationCalls.held(type, level, ModelZones.BYTES, 0, cid, token, session, ticket,
                0, expected, value);
            case GROUP -> OperationCalls.group(level, group, held == null ? 0 : held.cid, token, session, ticket);
            case LOCK -> OperationCalls.held(type, level, 0, 0, cid, 0, session, ticket, value, leaseNs);
            case SWAP_LOCK -> OperationCalls.held(type, level, 0, 0, cid, 0, session, ticket, value, leaseNs, token);
            case UNLOCK, RENEW_LOCK -> OperationCalls.held(type, level, 0, 0, cid, 0, session, ticket, token);
            default -> throw new AssertionError(type);
        };
    }

    /** Adds to the history that it was made, or perhaps. */
    private void made(Histories histories, Span span) {
        switch (type) {
            case PUT -> histories.write(cid, span, value);
            case REMOVE -> histories.write(cid, span, Histories.ABSENT);
            case COMPARE_AND_SET -> histories.update(cid, span, expected, value);
            case GROUP -> histories.group(group, span);
            default -> { }
        }
    }

    /** Its outcome stays unknown. */
    void unknown(Histories histories, long calledNs, String note) {
        made(histories, Histories.unknown(calledNs, level, note));
    }

    /**
     * It was done.
     *
     * @param calledNs when the call began
     * @param sentNs when the message that was answered was sent
     * @param nowNs now
     */
    void done(Histories histories, LockHistory locks, OperationAnswer answer, long calledNs, long sentNs, long nowNs,
              String who) {
        String note = who + ", " + level + (held == null ? "" : ", token " + held.token);
        long result = answer.result();
        if (isOfLocks()) {
            if (result == Status.ABSENT && type != OperationType.RENEW_LOCK) {
                histories.read(cid, calledNs, nowNs, Histories.ABSENT, note + ", " + type);
            }
            return;
        }
        long from = isChange() ? calledNs : sentNs;
        String what = type + " by " + note;
        switch (type) {
            case GET -> histories.read(cid, from, nowNs, result == Status.ABSENT ? Histories.ABSENT
                : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES), note);
            case COMPARE_AND_SET -> {
                if (result != 1) {
                    return;
                }
                made(histories, new Span(calledNs, nowNs, level, note));
            }
            case GROUP -> {
                if (result != Status.OK) {
                    histories.groupRefused(group.get((int) result - 1), calledNs, nowNs, note);
                    return;
                }
                made(histories, new Span(calledNs, nowNs, level, note));
                group.forEach(part -> locks.used(part.cid(), held, from, nowNs,
                    part.change() != ChunkChange.Change.NONE, what));
                return;
            }
            default -> {
                if (result == Status.ABSENT) {
                    histories.read(cid, calledNs, nowNs, Histories.ABSENT, note + ", " + type);
                } else {
                    made(histories, new Span(calledNs, nowNs, level, note));
                }
            }
        }
        locks.used(cid, held, from, nowNs, isChange(), what);
        if (isChange() && Cid.index(cid) == ModelZones.PAIR) {
            locks.used(cid + 1, held, from, nowNs, true, what);
        }
    }
}
