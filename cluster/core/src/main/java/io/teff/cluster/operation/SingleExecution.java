package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.IdOperations;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Executes operations on single chunks. The answer of a change leaves when the host says so; that of a read, also of a
 * change that has only found out why it cannot be done, when all changes that it may have seen are acknowledged.
 */
final class SingleExecution {
    /** Two different values: a field that seems to have both is not there. */
    private static final int NOT_THERE = 0x5A5A5A5A;
    private static final int NOT_THERE_EITHER = 0x25252525;

    private final ZoneHost host;

    SingleExecution(ZoneHost host) {
        this.host = host;
    }

    /**
     * Executes a request.
     *
     * @param contentMax longest content of an answer
     */
    void execute(OperationRequest request, int contentMax, Scratch scratch, Reply reply) {
        final int zone = Cid.nid(request.cid);
        final ChunkStore store = host.serving(zone);
        final SlotTable slots = request.session == 0 ? null : host.slots(zone);
        if (store == null || slots == null && request.session != 0) {
            notHere(zone, scratch, reply);
        } else if (slots == null) {
            execute(store, request, contentMax, null, scratch, reply);
        } else {
            executeOnce(store, slots, request, contentMax, scratch, reply);
        }
    }

    /** Executes a change of a session, unless its slot knows the result already. */
    private void executeOnce(ChunkStore store, SlotTable slots, OperationRequest request, int contentMax,
                             Scratch scratch, Reply reply) {
        final Slot slot = slots.enter(request.session, request.ticket(0));
        if (slot == SlotTable.IN_USE || slot == SlotTable.ENDED) {
            answer(slot == SlotTable.IN_USE ? OperationFormat.BUSY : OperationFormat.EXPIRED, 0, scratch, reply);
            return;
        }
        try {
            if (slot.isDone() || request.type == OperationType.RESERVE && slot.made() == request.length) {
                repeat(request, slot, scratch, reply);
            } else {
                undo(store, slot);
                attach(slots, slot, request);
                execute(store, request, contentMax, slot, scratch, reply);
            }
        } catch (StoreException e) {
            refuse(e, scratch, reply);
        } finally {
            SlotWriter.own().detach();
            slot.leave();
        }
    }

    /** Answers with the result of the first execution. */
    private void repeat(OperationRequest request, Slot slot, Scratch scratch, Reply reply) {
        if (slot.hasChanged()) {
            answerChange(request, slot.result(), scratch, reply);
        } else {
            answerRead(request, slot.code(), slot.result(), 0, scratch, reply);
        }
    }

    /** Gives back the CIDs that a reservation had when its owner failed in the middle; no client knows them. */
    private static void undo(ChunkStore store, Slot slot) {
        for (int i = 0; i < slot.made(); i++) {
            store.ids().unreserve(slot.result() + i);
        }
        slot.unmade();
    }

    private static void attach(SlotTable slots, Slot slot, OperationRequest request) {
        final SlotWriter writer = SlotWriter.own();
        switch (request.type) {
            case RESERVE -> writer.range(slots, slot);
            case ADD -> writer.sum(slots, slot, request.width, request.argument(0), request.argument(1));
            case CREATE -> writer.one(slots, slot, SlotWriter.Result.CID);
            case COMPARE_AND_SET -> writer.one(slots, slot, SlotWriter.Result.SUCCESS);
            case REMOVE -> writer.one(slots, slot, SlotWriter.Result.LENGTH);
            default -> writer.one(slots, slot, SlotWriter.Result.OK);
        }
    }

    private void execute(ChunkStore store, OperationRequest request, int contentMax, @Nullable Slot slot,
                         Scratch scratch, Reply reply) {
        final long result;
        try {
            result = run(store, request, contentMax, scratch);
        } catch (StoreException e) {
            if (slot != null && slot.isDone()) {                // the failure came after the change
                answerChange(request, slot.result(), scratch, reply);
            } else {
                refuse(e, scratch, reply);
            }
            return;
        } catch (StoreClosedException e) {
            answer(OperationFormat.DEPOSED, 0, scratch, reply);
            return;
        } catch (IndexOutOfBoundsException e) {
            answerFailed(request, OperationFormat.OUTSIDE, Status.OUT_OF_RANGE, slot, scratch, reply);
            return;
        } catch (NoSuchElementException e) {
            answerFailed(request, OperationFormat.ABSENT, Status.ABSENT, slot, scratch, reply);
            return;
        }
        final boolean isChanged = request.type.isChange() && hasChanged(request, result);
        if (slot != null) {
            slot.answered(OperationFormat.DONE, result, isChanged);
        }
        if (isTooLong(request, result, contentMax)) {
            answer(OperationFormat.TOO_LONG, 0, scratch, reply);
        } else if (isChanged) {
            answerChange(request, result, scratch, reply);
        } else {
            answerRead(request, OperationFormat.DONE, result, contentLength(request, result), scratch, reply);
        }
    }

    private static boolean hasChanged(OperationRequest request, long result) {
        return switch (request.type) {
            case COMPARE_AND_SET -> result == 1;
            case ADD -> true;
            default -> !Status.isStatus(result);
        };
    }

    private static boolean isTooLong(OperationRequest request, long result, int contentMax) {
        return request.type == OperationType.GET && result == Status.TOO_SMALL && contentMax < request.length
            || request.type == OperationType.GET_BYTES && request.length > contentMax;
    }

    private static int contentLength(OperationRequest request, long result) {
        return switch (request.type) {
            case GET -> (int) Math.max(result, 0);
            case GET_BYTES -> result == Status.OK ? request.length : 0;
            default -> 0;
        };
    }

    // ---- the operations ----

    private static long run(ChunkStore store, OperationRequest request, int contentMax, Scratch scratch) {
        final long cid = request.cid;
        return switch (request.type) {
            case GET -> get(store, request, contentMax, scratch);
            case SIZE -> store.size(cid);
            case GET_BYTES -> getBytes(store, request, contentMax, scratch);
            case GET_FIELD -> getField(store.fields(), request);
            case CREATE -> create(store, request);
            case PUT -> store.put(cid, request.memory, request.contentAt(), request.length);
            case PUT_BYTES -> store.putBytes(cid, request.argument(0), request.memory, request.contentAt(),
                request.length);
            case RESIZE -> store.resize(cid, request.length);
            case REMOVE -> store.remove(cid);
            case SEAL -> store.seal(cid);
            case PUT_FIELD -> putField(store.fields(), request);
            case ADD -> add(store.fields(), request);
            case COMPARE_AND_SET -> compareAndSet(store.fields(), request);
            case RESERVE -> reserve(store.ids(), request.length);
            case CREATE_AT -> createAt(store.ids(), request);
            case UNRESERVE -> store.ids().unreserve(cid);
            default -> throw new AssertionError(request.type);
        };
    }

    /** Reads a chunk into the answer; the buffer grows to the longest chunk that was read. */
    private static long get(ChunkStore store, OperationRequest request, int contentMax, Scratch scratch) {
        final int limit = Math.min(request.length, contentMax);
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

    private static long getBytes(ChunkStore store, OperationRequest request, int contentMax, Scratch scratch) {
        if (request.length > contentMax) {
            return 0;
        }
        scratch.ensure(HEAD_BYTES + request.length);
        return store.getBytes(request.cid, request.argument(0), scratch.bytes(), HEAD_BYTES, request.length);
    }

    private static long create(ChunkStore store, OperationRequest request) {
        if (request.has(OperationFormat.ZEROS)) {
            return store.create(request.length);
        }
        if (request.has(OperationFormat.READ_ONLY)) {
            return store.createReadOnly(request.memory.asSlice(request.contentAt(), request.length)
                .toArray(ValueLayout.JAVA_BYTE));
        }
        return store.create(request.memory, request.contentAt(), request.length);
    }

    /** Returns the first of consecutive CIDs, or FULL. */
    private static long reserve(IdOperations ids, int count) {
        final long[] cids = new long[count];
        final int reserved = ids.reserve(cids, 0, count);
        return Status.isStatus(reserved) ? reserved : cids[0];
    }

    private static long createAt(IdOperations ids, OperationRequest request) {
        return request.has(OperationFormat.ZEROS) ? ids.createAt(request.cid, request.length)
            : ids.createAt(request.cid, request.memory, request.contentAt(), request.length);
    }

    // ---- fields ----

    private static long getField(FieldOperations fields, OperationRequest request) {
        final long value = getField(fields, request, NOT_THERE);
        if (value != shortened(NOT_THERE, request.width)) {
            return value;
        }
        final long again = getField(fields, request, NOT_THERE_EITHER);
        if (again == shortened(NOT_THERE_EITHER, request.width)) {
            throw new NoSuchElementException();
        }
        return again;
    }

    private static long shortened(long value, int width) {
        return switch (width) {
            case Byte.BYTES -> (byte) value;
            case Short.BYTES -> (short) value;
            case Integer.BYTES -> (int) value;
            default -> value;
        };
    }

    private static long getField(FieldOperations fields, OperationRequest request, int ifAbsent) {
        final long offset = request.argument(0);
        return switch (request.width) {
            case Byte.BYTES -> fields.getByte(request.cid, offset, (byte) ifAbsent);
            case Short.BYTES -> fields.getShort(request.cid, offset, (short) ifAbsent);
            case Integer.BYTES -> fields.getInt(request.cid, offset, ifAbsent);
            default -> fields.getLong(request.cid, offset, ifAbsent);
        };
    }

    private static long putField(FieldOperations fields, OperationRequest request) {
        final long offset = request.argument(0);
        final long value = request.argument(1);
        return switch (request.width) {
            case Byte.BYTES -> fields.putByte(request.cid, offset, (byte) value);
            case Short.BYTES -> fields.putShort(request.cid, offset, (short) value);
            case Integer.BYTES -> fields.putInt(request.cid, offset, (int) value);
            default -> fields.putLong(request.cid, offset, value);
        };
    }

    private static long add(FieldOperations fields, OperationRequest request) {
        final long offset = request.argument(0);
        return request.width == Integer.BYTES
            ? fields.getAndAddInt(request.cid, offset, (int) request.argument(1))
            : fields.getAndAddLong(request.cid, offset, request.argument(1));
    }

    private static long compareAndSet(FieldOperations fields, OperationRequest request) {
        final long offset = request.argument(0);
        return request.width == Integer.BYTES
            ? fields.compareAndSetInt(request.cid, offset, (int) request.argument(1), (int) request.argument(2))
            : fields.compareAndSetLong(request.cid, offset, request.argument(1), request.argument(2));
    }

    // ---- answers ----

    private void answerChange(OperationRequest request, long result, Scratch scratch, Reply reply) {
        OperationFormat.putAnswerHead(scratch.memory(), OperationFormat.DONE, 0, 0, result);
        final HeldAnswer held = new HeldAnswer(reply);
        host.afterChange(Cid.nid(request.cid), request.level, held.part(0).await());
        held.finish(scratch.bytes(), scratch.memory(), HEAD_BYTES);
    }

    private void answerFailed(OperationRequest request, int code, long result, @Nullable Slot slot, Scratch scratch,
                              Reply reply) {
        if (slot != null) {
            slot.answered(code, result, false);
        }
        answerRead(request, code, result, 0, scratch, reply);
    }

    private void answerRead(OperationRequest request, int code, long result, int length, Scratch scratch, Reply reply) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, length, result);
        final HeldAnswer held = new HeldAnswer(reply);
        host.afterRead(Cid.nid(request.cid), request.cid, held.part(0).await());
        held.finish(scratch.bytes(), scratch.memory(), HEAD_BYTES + length);
    }

    private static void answer(int code, int length, Scratch scratch, Reply reply) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, length, 0);
        reply.answer(scratch.memory(), HEAD_BYTES + length);
    }

    private void notHere(int zone, Scratch scratch, Reply reply) {
        final ZoneRow row = host.row(zone);
        final byte[] bytes = row == null ? new byte[0] : RowBytes.of(row);
        scratch.ensure(HEAD_BYTES + bytes.length);
        System.arraycopy(bytes, 0, scratch.bytes(), HEAD_BYTES, bytes.length);
        answer(OperationFormat.NOT_HERE, bytes.length, scratch, reply);
    }

    private static void refuse(StoreException e, Scratch scratch, Reply reply) {
        if (PeerBusy.is(e)) {
            answer(OperationFormat.BUSY, 0, scratch, reply);
            return;
        }
        final byte[] text = FailureText.of(e).getBytes(StandardCharsets.UTF_8);
        scratch.ensure(HEAD_BYTES + text.length);
        System.arraycopy(text, 0, scratch.bytes(), HEAD_BYTES, text.length);
        OperationFormat.putAnswerHead(scratch.memory(), OperationFormat.REFUSED, e.category().ordinal(), text.length,
            0);
        reply.answer(scratch.memory(), HEAD_BYTES + text.length);
    }
}
