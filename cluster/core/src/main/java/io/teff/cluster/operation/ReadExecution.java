package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Executes one operation that changes no chunk. Used once. */
final class ReadExecution extends SingleExecution {
    /** Two different values: a field that seems to have both is not there. */
    private static final int NOT_THERE = 0x5A5A5A5A;
    private static final int NOT_THERE_EITHER = 0x25252525;

    /** The slots of the zone; null unless the operation presents a token. */
    private final @Nullable SlotTable slots;

    ReadExecution(ZoneHost host, ChunkStore store, @Nullable SlotTable slots, SingleAnswer answer) {
        super(host, store, answer);
        this.slots = slots;
    }

    @Override
    void begin() {
        if (request.type == OperationType.RENEW_LOCK && slots != null) {
            renew(slots);
        } else if (slots != null) {
            executeAsHolder(slots);
        } else {
            executeNow();
        }
    }

    private void renew(SlotTable of) {
        final long token = request.argument(0);
        if (of.locks().renew(request.cid, token, host.clock().nowNs())) {
            done(Status.OK);
        } else {
            notHeld(of, token);
        }
    }

    @Override
    @Nullable SlotTable slots() {
        return slots == null ? host.slots(Cid.nid(request.cid)) : slots;
    }

    // ---- the operations ----

    @Override
    long run() {
        return switch (request.type) {
            case GET -> get();
            case SIZE -> store.size(request.cid);
            case GET_BYTES -> getBytes();
            case GET_FIELD -> getField();
            default -> throw new AssertionError(request.type);
        };
    }

    /** Reads a chunk into the answer; the buffer grows to the longest chunk that was read. */
    private long get() {
        final Scratch scratch = answer.scratch();
        final int limit = Math.min(request.length, answer.contentMax());
        long length = store.get(request.cid, scratch.bytes(), HEAD_BYTES);
        while (length == Status.TOO_SMALL && scratch.bytes().length - HEAD_BYTES < limit) {
            final long size = store.size(request.cid);
            if (size > limit) {
                return Status.TOO_SMALL;
            }
            scratch.ensure((int) Math.max(size, 0) + HEAD_BYTES);
            length = store.get(request.cid, scratch.bytes(), HEAD_BYTES);
        }
        return length > limit ? Status.TOO_SMALL : length;
    }

    private long getBytes() {
        if (request.length > answer.contentMax()) {
            return 0;
        }
        final Scratch scratch = answer.scratch();
        scratch.ensure(HEAD_BYTES + request.length);
        return store.getBytes(request.cid, request.argument(0), scratch.bytes(), HEAD_BYTES, request.length);
    }

    private long getField() {
        final long value = getField(NOT_THERE);
        if (value != shortened(NOT_THERE)) {
            return value;
        }
        final long again = getField(NOT_THERE_EITHER);
        if (again == shortened(NOT_THERE_EITHER)) {
            throw new NoSuchElementException();
        }
        return again;
    }

    private long shortened(long value) {
        return switch (request.width) {
            case Byte.BYTES -> (byte) value;
            case Short.BYTES -> (short) value;
            case Integer.BYTES -> (int) value;
            default -> value;
        };
    }

    private long getField(int ifAbsent) {
        final FieldOperations fields = store.fields();
        final long offset = request.argument(0);
        return switch (request.width) {
            case Byte.BYTES -> fields.getByte(request.cid, offset, (byte) ifAbsent);
            case Short.BYTES -> fields.getShort(request.cid, offset, (short) ifAbsent);
            case Integer.BYTES -> fields.getInt(request.cid, offset, ifAbsent);
            default -> fields.getLong(request.cid, offset, ifAbsent);
        };
    }

    // ---- how it ends ----

    @Override
    void ranAsHolder(long result) {
        // a read ends no lock
    }

    @Override
    void done(long result) {
        final boolean isTooLong = request.type == OperationType.GET && result == Status.TOO_SMALL
            && answer.contentMax() < request.length
            || request.type == OperationType.GET_BYTES && request.length > answer.contentMax();
        if (isTooLong) {
            answer.code(OperationFormat.TOO_LONG);
        } else {
            answer.read(OperationFormat.DONE, result, contentLength(result));
        }
    }

    private int contentLength(long result) {
        return switch (request.type) {
            case GET -> (int) Math.max(result, 0);
            case GET_BYTES -> result == Status.OK ? request.length : 0;
            default -> 0;
        };
    }

    @Override
    boolean isRecorded() {
        return false;
    }

    @Override
    void refused(StoreException e) {
        answer.refused(e);
    }

    @Override
    void failed(int code, long result) {
        answer.read(code, result, 0);
    }

    @Override
    void noteLocked() {
        // a read has no slot
    }
}
