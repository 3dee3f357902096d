package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.LockTable;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.cluster.slot.ZoneLock;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.IdOperations;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import io.teff.engine.zone.ChunkChange;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;
import java.util.Objects;
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
    private final HeldBytes bytesHeld;

    SingleExecution(ZoneHost host, HeldBytes bytesHeld) {
        this.host = host;
        this.bytesHeld = bytesHeld;
    }

    /**
     * Executes a request.
     *
     * @param contentMax longest content of an answer
     */
    void execute(OperationRequest request, int contentMax, Scratch scratch, Reply reply) {
        final int zone = Cid.nid(request.cid);
        final ChunkStore store = host.serving(zone);
        final boolean needsSlots = request.session != 0 || request.hasToken()
            || request.type == OperationType.RENEW_LOCK;
        final SlotTable slots = needsSlots ? host.slots(zone) : null;
        if (store == null || slots == null && needsSlots) {
            notHere(zone, scratch, reply);
        } else {
            try {
                if (slots == null || request.session == 0) {
                    execute(store, slots, request, contentMax, null, scratch, reply);
                } else {
                    executeOnce(store, slots, request, contentMax, scratch, reply);
                }
            } catch (StoreClosedException | ZoneDroppedException e) {
                answer(OperationFormat.DEPOSED, 0, scratch, reply);
            }
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
                execute(store, slots, request, contentMax, slot, scratch, reply);
            }
        } catch (StoreException e) {
            refuse(request, e, scratch, reply);
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
            case LOCK, UNLOCK, SWAP_LOCK -> { }                 // the table of locks does it, for its own record
            default -> writer.one(slots, slot, SlotWriter.Result.OK);
        }
    }

    /** Executes an operation; one that presents a token only if this is a lock that is held, and as its holder. */
    private void execute(ChunkStore store, @Nullable SlotTable slots, OperationRequest request, int contentMax,
                         @Nullable Slot slot, Scratch scratch, Reply reply) {
        if (slots == null || !request.hasToken()) {
            executeNow(store, slots, request, contentMax, null, slot, scratch, reply);
            return;
        }
        final ZoneLock held = slots.locks().enter(request.lockedCid(), request.token, host.clock().nowNs());
        if (held == null) {
            if (isSettled(store, slots, request, request.lockedCid(), request.token, scratch, reply)) {
                answerRecorded(request, OperationFormat.FENCED, 0, scratch, reply);
            }
            return;
        }
        executeNow(store, slots, request, contentMax, held, slot, scratch, reply);
    }

    private void executeNow(ChunkStore store, @Nullable SlotTable slots, OperationRequest request, int contentMax,
                            @Nullable ZoneLock held, @Nullable Slot slot, Scratch scratch, Reply reply) {
        final long result;
        try {
            result = held == null ? run(store, slots, slot, request, contentMax, scratch)
                : runAs(held, store, slots, slot, request, contentMax, scratch);
        } catch (StoreException e) {
            if (slot != null && slot.isDone()) {                // the failure came after the change
                answerChange(request, slot.result(), scratch, reply);
            } else if (e.status() == Status.LOCKED) {
                answerLocked(store, slots, request, slot, scratch, reply);
            } else {
                refuse(request, e, scratch, reply);
            }
            return;
        } catch (IndexOutOfBoundsException e) {
            answerFailed(request, OperationFormat.OUTSIDE, Status.OUT_OF_RANGE, slot, scratch, reply);
            return;
        } catch (NoSuchElementException e) {
            answerFailed(request, OperationFormat.ABSENT, Status.ABSENT, slot, scratch, reply);
            return;
        }
        if (result == Status.LOCKED && isStatusOf(request.type)) {
            answerLocked(store, slots, request, slot, scratch, reply);
            return;
        }
        if (result == Status.NOT_HELD && namesLock(request.type)) {
            final long token = request.argument(request.type == OperationType.SWAP_LOCK ? 2 : 0);
            if (isSettled(store, Objects.requireNonNull(slots), request, request.cid, token, scratch, reply)) {
                answerRecorded(request, OperationFormat.DONE, result, scratch, reply);
            }
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

    /** Returns whether an operation says that a lock is not held by NOT_HELD. */
    private static boolean namesLock(OperationType type) {
        return type == OperationType.RENEW_LOCK || type == OperationType.UNLOCK || type == OperationType.SWAP_LOCK;
    }

    /**
     * Ends the lock of a token that is refused, before the client learns of the refusal; the next owner would begin the
     * lease of the lock anew. Returns false if it has sent another answer.
     */
    private boolean isSettled(ChunkStore store, SlotTable slots, OperationRequest request, long cid, long token,
                              Scratch scratch, Reply reply) {
        SlotWriter.own().detach();                              // what is recorded now is not the request's result
        try {
            if (slots.locks().settle(store, host.slotLog(), cid, token, host.clock().nowNs())) {
                return true;
            }
        } catch (StoreException e) {                            // the peer has ended meanwhile
            refuse(request, e, scratch, reply);
            return false;
        }
        answer(OperationFormat.BUSY, 0, scratch, reply);
        return false;
    }

    /** Returns whether LOCKED is a status of an operation, and not a value. */
    private static boolean isStatusOf(OperationType type) {
        return type != OperationType.GET_FIELD && type != OperationType.ADD;
    }

    /**
     * Answers that nothing was done because of a lock. The slot keeps that only if the client does not ask again with
     * the same ticket, as it does for a lock that cannot be released yet. Locks whose leases are over end by that.
     */
    private void answerLocked(ChunkStore store, @Nullable SlotTable slots, OperationRequest request,
                              @Nullable Slot slot, Scratch scratch, Reply reply) {
        if (slot != null && request.givesUp && request.type != OperationType.UNLOCK) {
            slot.answered(OperationFormat.LOCKED, 0, false);
        }
        SlotWriter.own().detach();
        final SlotTable of = slots == null ? host.slots(Cid.nid(request.cid)) : slots;
        if (of != null) {
            try {
                of.locks().expire(store, host.slotLog(), request.cid, host.clock().nowNs());
            } catch (StoreException e) {                        // the peer has ended meanwhile
                refuse(request, e, scratch, reply);
                return;
            }
        }
        answer(request.type == OperationType.UNLOCK ? OperationFormat.BUSY : OperationFormat.LOCKED, 0, scratch, reply);
    }

    private static boolean hasChanged(OperationRequest request, long result) {
        return switch (request.type) {
            case COMPARE_AND_SET -> result == 1;
            case GROUP -> result == Status.OK;
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

    /** Executes an operation of the holder of a lock, which {@link LockTable#enter} has admitted. */
    private long runAs(ZoneLock held, ChunkStore store, @Nullable SlotTable slots, @Nullable Slot slot,
                       OperationRequest request, int contentMax, Scratch scratch) {
        final long result;
        held.act();
        try {
            result = run(store, slots, slot, request, contentMax, scratch);
        } finally {
            held.leave();
        }
        final boolean hasRemoved = request.type == OperationType.REMOVE && !Status.isStatus(result)
            || request.type == OperationType.GROUP && result == Status.OK && store.size(request.lockedCid()) < 0;
        if (hasRemoved && slots != null) {
            SlotWriter.own().detach();
            slots.locks().removed(store, host.slotLog(), request.lockedCid(), host.clock().nowNs());
        }
        return result;
    }

    private long run(ChunkStore store, @Nullable SlotTable slots, @Nullable Slot slot, OperationRequest request,
                     int contentMax, Scratch scratch) {
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
            case GROUP -> change(request);
            case RENEW_LOCK -> Objects.requireNonNull(slots).locks().renew(cid, request.argument(0),
                host.clock().nowNs()) ? Status.OK : Status.NOT_HELD;
            case LOCK, UNLOCK, SWAP_LOCK -> changeLock(store, Objects.requireNonNull(slots),
                Objects.requireNonNull(slot), request);
            default -> throw new AssertionError(request.type);
        };
    }

    private long change(OperationRequest request) {
        final int zone = Cid.nid(request.cid);
        try {
            return host.zones(zone).change(zone, request.changes());
        } catch (ZoneDroppedException | NoSuchElementException e) {
            throw new StoreClosedException("of zone " + zone);  // the peer does not serve it any more
        }
    }

    private long changeLock(ChunkStore store, SlotTable slots, Slot slot, OperationRequest request) {
        final LockTable locks = slots.locks();
        final long nowNs = host.clock().nowNs();
        if (request.type == OperationType.UNLOCK) {
            return locks.unlock(store, host.slotLog(), slot, request.cid, request.argument(0), nowNs);
        }
        final boolean isWrite = request.argument(0) == OperationFormat.WRITE_LOCK;
        final long waiter = (long) request.session << Integer.SIZE | request.ticket(0) & 0xFFFF_FFFFL;
        final LockTable.Wish wish = new LockTable.Wish(request.cid, request.session, waiter, isWrite, !request.givesUp,
            request.argument(1));
        return request.type == OperationType.LOCK ? locks.lock(store, host.slotLog(), slot, wish, nowNs)
            : locks.swap(store, host.slotLog(), slot, wish, request.argument(2), nowNs);
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
        if (request.type.isLockChange()) {
            answerRecorded(request, OperationFormat.DONE, result, scratch, reply);
        } else {
            answerAfter(request.level, request, OperationFormat.DONE, result, scratch, reply);
        }
    }

    /** Answers what all backups must know first, whatever the level of the request. */
    private void answerRecorded(OperationRequest request, int code, long result, Scratch scratch, Reply reply) {
        answerAfter(request.level == WriteLevel.OWNER ? WriteLevel.BACKED : request.level, request, code, result,
            scratch, reply);
    }

    private void answerAfter(WriteLevel level, OperationRequest request, int code, long result, Scratch scratch,
                             Reply reply) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, 0, result);
        final HeldAnswer held = new HeldAnswer(reply, bytesHeld);
        host.afterChange(Cid.nid(request.cid), level, held.part(0).await());
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
        final HeldAnswer held = new HeldAnswer(reply, bytesHeld);
        if (request.type == OperationType.GROUP) {
            final long[] cids = request.changes().stream().mapToLong(ChunkChange::cid).toArray();
            host.afterReads(Cid.nid(request.cid), cids, 0, cids.length, held.part(0).await());
        } else {
            host.afterRead(Cid.nid(request.cid), request.cid, held.part(0).await());
        }
        if (length == 0) {
            held.finish(scratch.bytes(), scratch.memory(), HEAD_BYTES);
        } else {
            held.finish(scratch.bytes(), scratch.memory(), HEAD_BYTES + length, () -> {
                OperationFormat.putAnswerHead(scratch.memory(), OperationFormat.BUSY, 0, 0, 0);
                return HEAD_BYTES;
            });
        }
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

    private void refuse(OperationRequest request, StoreException e, Scratch scratch, Reply reply) {
        final int code = RefusalCode.of(e, host, Cid.nid(request.cid));
        if (code != OperationFormat.REFUSED) {
            answer(code, 0, scratch, reply);
            return;
        }
        final byte[] text = FailureText.of(e).getBytes(StandardCharsets.UTF_8);
        scratch.ensure(HEAD_BYTES + text.length);
        System.arraycopy(text, 0, scratch.bytes(), HEAD_BYTES, text.length);
        OperationFormat.putAnswerHead(scratch.memory(), code, e.category().ordinal(), text.length, 0);
        reply.answer(scratch.memory(), HEAD_BYTES + text.length);
    }
}
