package io.teff.cluster.client;

import io.teff.cluster.ChunkGroup;
import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.GroupBytes;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ChunkChange.Change;
import io.teff.engine.zone.ChunkChange.Condition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A group of changes: one request to the owner of the zone, under one ticket. For one thread. */
final class RemoteGroup implements ChunkGroup {
    private static final int SHORT_BYTES_MAX = OperationFormat.SHORT_BYTES_MAX / 2;

    private final ClusterClient client;
    private final WriteLevel level;
    private final Map<Long, ChunkChange> changes = new LinkedHashMap<>();
    private long bytes;
    private boolean isUsed;
    private long refusedBy = Cid.NONE;

    static {
        assert BYTES_MAX + CHUNKS_MAX * GroupBytes.HEAD_BYTES <= GroupBytes.BYTES_MAX : "the longest group has room";
    }

    RemoteGroup(ClusterClient client, WriteLevel level) {
        this.client = client;
        this.level = level;
    }

    // ---- conditions and changes ----

    private void add(long cid, Condition condition, byte @Nullable [] expected, Change change,
                     byte @Nullable [] content) {
        if (isUsed) {
            throw new IllegalStateException("the group was used");
        }
        final ChunkChange known = changes.get(cid);
        if (known != null && (condition != Condition.NONE && known.condition() != Condition.NONE
            || change != Change.NONE && known.change() != Change.NONE)) {
            throw new IllegalArgumentException("chunk " + Cid.toString(cid) + " has a "
                + (change == Change.NONE ? "condition" : "change") + " already");
        }
        if (!changes.isEmpty()) {
            final long first = changes.keySet().iterator().next();
            if (Cid.nid(first) != Cid.nid(cid)) {
                throw new IllegalArgumentException("chunk " + Cid.toString(first) + " is in zone " + Cid.nid(first)
                    + ", and chunk " + Cid.toString(cid) + " in zone " + Cid.nid(cid)
                    + ": a group changes chunks of one zone; createNear of the store creates them so");
            }
        }
        final long more = (expected == null ? 0L : expected.length) + (content == null ? 0 : content.length);
        if (bytes + more > BYTES_MAX || known == null && changes.size() == CHUNKS_MAX) {
            throw new IllegalArgumentException("a group has at most " + CHUNKS_MAX + " chunks and " + BYTES_MAX
                + " bytes of contents, and this one would have " + (changes.size() + 1) + " and " + (bytes + more));
        }
        final ChunkChange next = known == null ? new ChunkChange(cid, condition, expected, change, content)
            : condition == Condition.NONE
            ? new ChunkChange(cid, known.condition(), known.expected(), change, content)
            : new ChunkChange(cid, condition, expected, known.change(), known.content());
        changes.put(cid, next.checked());
        bytes += more;
    }

    @Override
    public ChunkGroup ifPresent(long cid) {
        add(cid, Condition.PRESENT, null, Change.NONE, null);
        return this;
    }

    @Override
    public ChunkGroup ifAbsent(long cid) {
        add(cid, Condition.ABSENT, null, Change.NONE, null);
        return this;
    }

    @Override
    public ChunkGroup ifContent(long cid, byte[] expected) {
        add(cid, Condition.EQUAL, Objects.requireNonNull(expected, "expected"), Change.NONE, null);
        return this;
    }

    @Override
    public ChunkGroup fence(long cid, long token) {
        final byte[] number = ByteBuffer.allocate(ChunkChange.NUMBER_BYTES).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(token).array();
        add(cid, Condition.NOT_ABOVE, number, Change.PUT, number);
        return this;
    }

    @Override
    public ChunkGroup put(long cid, byte[] content) {
        add(cid, Condition.NONE, null, Change.PUT, Objects.requireNonNull(content, "content"));
        return this;
    }

    @Override
    public ChunkGroup remove(long cid) {
        add(cid, Condition.NONE, null, Change.REMOVE, null);
        return this;
    }

    // ---- commit ----

    /** Returns the chunk of the group locked by the calling thread, or NONE. */
    private long locked() {
        long locked = Cid.NONE;
        for (long cid : changes.keySet()) {
            if (client.heldLocks().token(cid) != 0) {
                if (locked != Cid.NONE) {
                    throw new IllegalStateException("the calling thread has locked chunks " + Cid.toString(locked)
                        + " and " + Cid.toString(cid) + " of the group: it may have locked one");
                }
                locked = cid;
            }
        }
        return locked;
    }

    private RequestBytes request(long first, long locked) {
        int length = 0;
        for (ChunkChange change : changes.values()) {
            final byte[] expected = change.expected();
            final byte[] content = change.content();
            length += GroupBytes.HEAD_BYTES + (expected == null ? 0 : expected.length)
                + (content == null ? 0 : content.length);
        }
        final RequestBytes request = RequestBytes.once()
            .token(locked == Cid.NONE ? 0 : client.heldLocks().token(locked))
            .begin(OperationType.GROUP, level, 0, 0, length, first).putLong(locked == Cid.NONE ? 0 : locked);
        changes.values().forEach(change -> GroupBytes.put(request, change));
        return request;
    }

    @Override
    public boolean commit() {
        client.checkOpen();
        if (isUsed) {
            throw new IllegalStateException("the group was used");
        }
        isUsed = true;
        if (changes.isEmpty()) {
            return true;
        }
        final List<Long> cids = new ArrayList<>(changes.keySet());
        final long first = cids.getFirst();
        final long locked = locked();
        final RequestBytes request = request(first, locked);
        final int result;
        try (Call call = client.call(OperationType.GROUP, first).locked(locked)) {
            result = (int) client.send(call, OperationType.GROUP, first, request, request.length() > SHORT_BYTES_MAX)
                .result();
        }
        return switch (result) {
            case Status.OK -> {
                changes.values().stream().filter(it -> it.change() == Change.REMOVE)
                    .forEach(it -> client.heldLocks().forget(it.cid()));
                yield true;
            }
            case Status.FULL -> throw new StoreException(Category.DEGRADED, "a group with chunk " + Cid.toString(first)
                + " finds no memory at its owner");
            case Status.ABSENT -> {                             // the zone does not exist
                refusedBy = first;
                yield false;
            }
            default -> {
                if (Status.isStatus(result)) {
                    throw StoreException.refused("a group with chunk " + Cid.toString(first) + " refused: "
                        + Status.name(result), result);
                }
                refusedBy = cids.get(result - 1);
                yield false;
            }
        };
    }

    @Override
    public long refusedBy() {
        return refusedBy;
    }
}
