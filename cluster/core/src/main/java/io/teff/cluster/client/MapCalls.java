package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.codec.Output;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sends operations to the owners of maps, each in one round trip. Keys and values are bytes. Thread-safe. */
final class MapCalls {
    private static final int SHORT_REQUEST_MAX = OperationFormat.SHORT_BYTES_MAX / 2;
    private static final byte[] NONE = new byte[0];

    private final ClusterClient client;
    private final WriteLevel level;
    /** Token of a holder that the changes present, or 0. */
    private final long token;
    private final MapBatches batches;

    MapCalls(ClusterClient client, WriteLevel level) {
        this(client, level, 0);
    }

    private MapCalls(ClusterClient client, WriteLevel level, long token) {
        this.client = client;
        this.level = level;
        this.token = token;
        batches = new MapBatches(client, level, token);
    }

    /** Returns these calls as a holder makes changes; 0 for no holder. */
    MapCalls as(long holder) {
        return holder == token ? this : new MapCalls(client, level, holder);
    }

    long token() {
        return token;
    }

    /** Returns operations on many entries, at the level of these calls. */
    MapBatches batches() {
        return batches;
    }

    WriteLevel level() {
        return level;
    }

    ClusterClient client() {
        return client;
    }

    /** Returns these calls at the level BACKED, which the directory needs. */
    MapCalls backed() {
        return level == WriteLevel.OWNER ? new MapCalls(client, WriteLevel.BACKED) : this;
    }

    /** Opens or makes a map in a zone; returns the root. */
    long open(int zone, MapName name) {
        final Output out = Output.growing(256);
        out.putValue(MapName.CODEC, name);
        final long place = Cid.of(zone, 0);
        final RequestBytes bytes = RequestBytes.own().begin(OperationType.MAP_OPEN, level, 0, 0, out.size(), place)
            .putBytes(out.array(), 0, out.size());
        final OperationAnswer answer = send(OperationType.MAP_OPEN, place, bytes, true, 0);
        if (answer.code() != OperationFormat.DONE) {
            throw new StoreException(Category.DEGRADED, "zone " + zone + " does not exist, and has a part of the "
                + "collection " + name.name());
        }
        return answer.result();
    }

    /** Returns the value of a key, or null. */
    byte @Nullable [] get(long root, byte[] key) {
        final RequestBytes bytes = RequestBytes.once().begin(OperationType.MAP_GET, level, 0, 0, key.length, root)
            .putBytes(key, 0, key.length);
        return value(present(send(OperationType.MAP_GET, root, bytes, bytes.length() > SHORT_REQUEST_MAX,
            OperationFormat.MAP_ENTRY_BYTES_MAX)));
    }

    /** The outcome of a change: the result, and the value that is the result, if any. */
    record Outcome(boolean isDone, boolean isTooLong, byte @Nullable [] value) {}

    /** Changes an entry. */
    Outcome change(long root, MapMode mode, byte[] key, byte @Nullable [] expected, byte @Nullable [] value) {
        final byte[] wanted = expected == null ? NONE : expected;
        final byte[] next = value == null ? NONE : value;
        checkEntry(key, next);
        final RequestBytes bytes = RequestBytes.once().token(token).begin(OperationType.MAP_CHANGE, level, 0, 0,
            key.length + wanted.length + next.length, root).putLong(mode.number()).putLong(key.length)
            .putLong(wanted.length).putBytes(key, 0, key.length).putBytes(wanted, 0, wanted.length)
            .putBytes(next, 0, next.length);
        final OperationAnswer answer = send(OperationType.MAP_CHANGE, root, bytes, mode == MapMode.CALL
            || bytes.length() > SHORT_REQUEST_MAX, OperationFormat.MAP_ENTRY_BYTES_MAX);
        if (answer.code() == OperationFormat.OUTSIDE) {
            throw outside();
        }
        if (FunctionFailures.isOf(answer)) {
            throw FunctionFailures.of(answer, next, root);
        }
        if (answer.code() == OperationFormat.LONG_RESULT) {
            return new Outcome(false, true, null);
        }
        final byte[] found = value(present(answer));
        return new Outcome(answer.result() == OperationFormat.MAP_DONE, false, found);
    }

    /** Throws if an entry is too long. */
    static void checkEntry(byte[] key, byte[] value) {
        if ((long) key.length + value.length > OperationFormat.MAP_ENTRY_BYTES_MAX) {
            throw new IllegalArgumentException("an entry of " + ((long) key.length + value.length) + " bytes: entries"
                + " of a cluster are of at most " + OperationFormat.MAP_ENTRY_BYTES_MAX);
        }
    }

    private OperationAnswer send(OperationType type, long cid, RequestBytes bytes, boolean isLong, int contentMax) {
        try (Call call = client.call(type, cid)) {
            return client.send(call, type, cid, bytes, isLong, contentMax);
        }
    }

    private static OperationAnswer present(OperationAnswer answer) {
        if (answer.code() != OperationFormat.DONE) {
            throw dropped();
        }
        return answer;
    }

    static IndexOutOfBoundsException outside() {
        return new IndexOutOfBoundsException("the value of an entry is too short for the field");
    }

    static IllegalStateException dropped() {
        return new IllegalStateException("the collection was dropped");
    }

    private static byte @Nullable [] value(OperationAnswer answer) {
        return answer.result() < 0 ? null : Arrays.copyOfRange(answer.bytes(), OperationFormat.HEAD_BYTES,
            OperationFormat.HEAD_BYTES + answer.contentLength());
    }
}
