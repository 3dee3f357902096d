package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.cluster.slot.SlotLayout;
import io.teff.engine.Cid;
import io.teff.engine.IdOperations;
import io.teff.engine.error.Status;
import io.teff.engine.raw.RawFilter;
import io.teff.engine.view.ChunkFilter;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Reserves CIDs in the zones of a cluster, and creates chunks with reserved CIDs. A reservation is an ordinary change
 * of its zone: the reservation is backed up, and after a failure the new owner never issues a reserved CID.
 * Thread-safe.
 */
final class RemoteIds implements IdOperations {
    /** Reservations of more CIDs are work for the owner's threads of long requests. */
    private static final int SHORT_COUNT_MAX = 256;
    private static final int SHORT_SOURCE_MAX = OperationFormat.SHORT_BYTES_MAX / 2;

    private final ClusterClient client;
    private final ZoneCreates creates;
    private final WriteLevel level;

    RemoteIds(ClusterClient client, ZoneCreates creates, WriteLevel level) {
        this.client = client;
        this.creates = creates;
        this.level = level;
    }

    // ---- reserve ----

    @Override
    public long reserve() {
        return reserve(1);
    }

    @Override
    public int reserve(long[] cids, int from, int count) {
        Objects.checkFromIndexSize(from, count, cids.length);
        if (count > ClusterStore.RESERVED_MAX) {
            throw new IllegalArgumentException("count=" + count + " is not in 0 to " + ClusterStore.RESERVED_MAX
                + ": the consecutive CIDs of a cluster are of one zone");
        }
        if (count == 0) {
            client.checkOpen();
            return 0;
        }
        final long first = reserve(count);
        if (first == Status.FULL) {
            return Status.FULL;
        }
        for (int i = 0; i < count; i++) {
            cids[from + i] = first + i;
        }
        return count;
    }

    private long reserve(int count) {
        return creates.run(OperationType.RESERVE, Cid.NONE, count > SHORT_COUNT_MAX,
            place -> RequestBytes.once().begin(OperationType.RESERVE, level, 0, 0, count, place));
    }

    @Override
    public int unreserve(long cid) {
        try (Call call = client.call(OperationType.UNRESERVE, cid)) {
            return (int) client.send(call, OperationType.UNRESERVE, cid,
                RequestBytes.once().begin(OperationType.UNRESERVE, level, 0, 0, 0, cid), false).result();
        }
    }

    // ---- create ----

    @Override
    public int createAt(long cid, byte[] source) {
        return createAt(cid, source, 0, source.length);
    }

    @Override
    public int createAt(long cid, byte[] source, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, source.length);
        return createAt(cid, 0, length, bytes -> bytes.putBytes(source, offset, length));
    }

    @Override
    public int createAt(long cid, MemorySegment source, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        return createAt(cid, 0, length, bytes -> bytes.putBytes(source, offset, (int) length));
    }

    @Override
    public int createAt(long cid, long length) {
        return createAt(cid, OperationFormat.ZEROS, length, _ -> { });
    }

    private int createAt(long cid, int flags, long length, Consumer<RequestBytes> content) {
        RemoteStore.checkLength(length);
        if (!ClusterClient.isZone(Cid.nid(cid)) || Cid.index(cid) == 0 || SlotLayout.isSlot(cid)) {
            throw new IllegalArgumentException("cid=" + Cid.toString(cid) + " is never the CID of a cluster's chunk");
        }
        final RequestBytes bytes = RequestBytes.once().begin(OperationType.CREATE_AT, level, flags, 0, (int) length,
            cid);
        content.accept(bytes);
        try (Call call = client.call(OperationType.CREATE_AT, cid)) {
            return (int) client.send(call, OperationType.CREATE_AT, cid, bytes, bytes.length() > SHORT_SOURCE_MAX)
                .result();
        }
    }

    // ---- visit ----

    /** Visits zone after zone, and {@link OperationFormat#CIDS_MAX} CIDs of a zone at once. */
    @Override
    public void forEach(LongConsumer consumer) {
        Objects.requireNonNull(consumer);
        client.checkOpen();
        for (int zone : client.tables().zones()) {
            long next = 0;
            do {
                next = visit(Cid.of(zone, 0), next, consumer);
            } while (next != 0);
        }
    }

    /** Visits zone after zone; an owner tests {@link OperationFormat#CIDS_MAX} chunks of a zone at once. */
    @Override
    public void forEach(ChunkFilter filter, LongConsumer consumer) {
        Objects.requireNonNull(consumer);
        client.checkOpen();
        final byte[] bytes = RawFilter.bytes(filter);
        for (int zone : client.tables().zones()) {
            final long place = Cid.of(zone, 0);
            long next = 0;
            while (filter.hasZone(zone) && next >= 0) {
                final long behind = visit(OperationType.CIDS_WHERE, place, RequestBytes.once().begin(
                    OperationType.CIDS_WHERE, level, 0, 0, bytes.length, place).putLong(next)
                    .putBytes(bytes, 0, bytes.length), consumer);
                next = behind == 0 ? -1 : behind;
            }
        }
    }

    private long visit(long place, long first, LongConsumer consumer) {
        return visit(OperationType.CIDS, place, RequestBytes.once().begin(OperationType.CIDS, level, 0, 0,
            OperationFormat.CIDS_MAX, place).putLong(first), consumer);
    }

    private long visit(OperationType type, long place, RequestBytes request, LongConsumer consumer) {
        final OperationAnswer answer;
        try (Call call = client.call(type, place)) {
            answer = client.send(call, type, place, request, true, OperationFormat.CIDS_MAX * Long.BYTES);
        }
        final MemorySegment cids = MemorySegment.ofArray(answer.bytes());
        for (int at = OperationFormat.HEAD_BYTES; at < answer.bytes().length; at += Long.BYTES) {
            consumer.accept(cids.get(OperationFormat.LONG, at));
        }
        return answer.code() == OperationFormat.DONE ? answer.result() : 0;
    }
}
