package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.FieldOperations;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import java.util.NoSuchElementException;

/** Reads and changes of single values inside chunks: each is a request to the owner. Thread-safe. */
final class RemoteFields implements FieldOperations {
    private final ClusterClient client;
    private final WriteLevel level;
    private final Call.Source calls;

    RemoteFields(ClusterClient client, WriteLevel level, Call.Source calls) {
        this.client = client;
        this.level = level;
        this.calls = calls;
    }

    private RequestBytes begin(OperationType type, int width, long cid, long offset) {
        return client.request(cid).begin(type, level, 0, width, 0, cid).putLong(offset);
    }

    private OperationAnswer send(OperationType type, long cid, long offset, RequestBytes bytes) {
        try (Call call = calls.call(type, cid)) {
            final OperationAnswer answer = client.send(call, type, cid, bytes, false);
            if (answer.code() == OperationFormat.OUTSIDE) {
                throw new IndexOutOfBoundsException("a field at " + offset + " is outside chunk " + Cid.toString(cid));
            }
            if (answer.code() == OperationFormat.LOCKED
                && (type == OperationType.GET_FIELD || type == OperationType.ADD)) {
                throw StoreException.refused("chunk " + Cid.toString(cid) + " refused: " + Status.name(Status.LOCKED),
                    Status.LOCKED);
            }
            return answer;
        }
    }

    // ---- read ----

    private long read(long cid, long offset, int width, long ifAbsent) {
        final OperationAnswer answer = send(OperationType.GET_FIELD, cid, offset,
            begin(OperationType.GET_FIELD, width, cid, offset));
        return answer.code() == OperationFormat.ABSENT ? ifAbsent : answer.result();
    }

    @Override
    public long getLong(long cid, long offset, long ifAbsent) {
        return read(cid, offset, Long.BYTES, ifAbsent);
    }

    @Override
    public int getInt(long cid, long offset, int ifAbsent) {
        return (int) read(cid, offset, Integer.BYTES, ifAbsent);
    }

    @Override
    public short getShort(long cid, long offset, short ifAbsent) {
        return (short) read(cid, offset, Short.BYTES, ifAbsent);
    }

    @Override
    public byte getByte(long cid, long offset, byte ifAbsent) {
        return (byte) read(cid, offset, Byte.BYTES, ifAbsent);
    }

    // ---- write ----

    private int write(long cid, long offset, int width, long value) {
        return (int) send(OperationType.PUT_FIELD, cid, offset,
            begin(OperationType.PUT_FIELD, width, cid, offset).putLong(value)).result();
    }

    @Override
    public int putLong(long cid, long offset, long value) {
        return write(cid, offset, Long.BYTES, value);
    }

    @Override
    public int putInt(long cid, long offset, int value) {
        return write(cid, offset, Integer.BYTES, value);
    }

    @Override
    public int putShort(long cid, long offset, short value) {
        return write(cid, offset, Short.BYTES, value);
    }

    @Override
    public int putByte(long cid, long offset, byte value) {
        return write(cid, offset, Byte.BYTES, value);
    }

    // ---- read and write ----

    private int compareAndSet(long cid, long offset, int width, long expected, long update) {
        return (int) send(OperationType.COMPARE_AND_SET, cid, offset,
            begin(OperationType.COMPARE_AND_SET, width, cid, offset).putLong(expected).putLong(update)).result();
    }

    @Override
    public int compareAndSetLong(long cid, long offset, long expected, long update) {
        return compareAndSet(cid, offset, Long.BYTES, expected, update);
    }

    @Override
    public int compareAndSetInt(long cid, long offset, int expected, int update) {
        return compareAndSet(cid, offset, Integer.BYTES, expected, update);
    }

    private long add(long cid, long offset, int width, long delta) {
        final OperationAnswer answer = send(OperationType.ADD, cid, offset,
            begin(OperationType.ADD, width, cid, offset).putLong(delta));
        if (answer.code() == OperationFormat.ABSENT) {
            throw new NoSuchElementException("chunk " + Cid.toString(cid) + " does not exist");
        }
        return answer.result();
    }

    @Override
    public long getAndAddLong(long cid, long offset, long delta) {
        return add(cid, offset, Long.BYTES, delta);
    }

    @Override
    public int getAndAddInt(long cid, long offset, int delta) {
        return (int) add(cid, offset, Integer.BYTES, delta);
    }
}
