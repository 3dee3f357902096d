package io.teff.cluster.operation;

import io.teff.engine.ChunkStore;
import io.teff.engine.FieldOperations;
import io.teff.engine.IdOperations;
import io.teff.engine.error.Status;
import java.lang.foreign.ValueLayout;

/** Makes changes of single chunks as requests name them; pure calls of a store. */
final class ChunkChanges {
    private ChunkChanges() {}

    /** Makes a change and returns its result, a value or a status. */
    static long run(ChunkStore store, OperationRequest request) {
        final long cid = request.cid;
        return switch (request.type) {
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
}
