package io.teff.cluster.client;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.CollectionName;
import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.MoveMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.RequestBytes;
import io.teff.engine.Cid;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends operations to the owner of one queue, list or sorted map, each in one round trip. Keys, elements and values are
 * bytes. Thread-safe.
 */
final class CollectionCalls {
    private static final int SHORT_REQUEST_MAX = OperationFormat.SHORT_BYTES_MAX / 2;
    private static final byte[] NONE = new byte[0];

    private final ClusterClient client;
    private final WriteLevel level;
    private final int zone;
    private final CollectionName name;
    /** Throws if the collection was dropped while this client has opened it. */
    private final Runnable requirement;
    /** Token of a holder that the changes present, or 0. */
    private final long token;
    /** CID of the root; 0 before the first use. */
    private volatile long root;

    CollectionCalls(ClusterClient client, WriteLevel level, int zone, CollectionName name, Runnable requirement,
                    long token) {
        this.requirement = requirement;
        this.client = client;
        this.level = level;
        this.token = token;
        this.zone = zone;
        this.name = name;
    }

    ClusterClient client() {
        return client;
    }

    void checkOpen() {
        client.checkOpen();
    }

    /** Opens or makes the collection: a collection whose order its owner does not know is refused here. */
    CollectionCalls open() {
        final Output out = Output.growing(256);
        out.putValue(CollectionName.CODEC, name);
        final long place = Cid.of(zone, 0);
        final RequestBytes bytes = RequestBytes.own().begin(OperationType.COLLECTION_OPEN, WriteLevel.BACKED, 0, 0,
            out.size(), place).putBytes(out.array(), 0, out.size());
        final OperationAnswer answer = send(OperationType.COLLECTION_OPEN, place, bytes, true, 0);
        if (answer.code() != OperationFormat.DONE) {
            throw new StoreException(Category.DEGRADED, "zone " + zone + " does not exist, and has the collection "
                + name.name());
        }
        requirement.run();
        root = answer.result();
        return this;
    }

    /** Returns the root; opens or makes the collection first. */
    long root() {
        return root == 0 ? open().root : root;
    }

    /** Returns operations on several collections. */
    MapBatches batches() {
        return new MapBatches(client, level, token);
    }

    /** Returns whether the calls are known to have a root. */
    boolean hasRoot(long other) {
        return root == other;
    }

    /** Returns the calls of another part of this sorted map, by the root of the part. */
    CollectionCalls at(long partRoot) {
        final CollectionCalls part = new CollectionCalls(client, level, Cid.nid(partRoot), name, requirement, token);
        part.root = partRoot;
        return part;
    }

    /** Returns the calls of another part of this sorted map, which is opened at its first use. */
    CollectionCalls at(int partZone, CollectionName partName) {
        return new CollectionCalls(client, level, partZone, partName, requirement, token);
    }

    boolean hasToken() {
        return token != 0;
    }

    /** Has the holder of a lock come to the collection, if the calls have a token. */
    CollectionCalls raise() {
        if (token != 0) {
            batches().raise(new long[] {root()});
        }
        return this;
    }

    private OperationAnswer send(OperationType type, long cid, RequestBytes bytes, boolean isLong, int contentMax) {
        try (Call call = client.call(type, cid)) {
            return client.send(call, type, cid, bytes, isLong, contentMax);
        }
    }

    private OperationAnswer send(OperationType type, CollectionMode mode, long first, long second, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length = Math.addExact(length, part.length);
        }
        final long cid = root();
        final RequestBytes bytes = RequestBytes.once().token(type.isFenced() ? token : 0)
            .begin(type, level, 0, 0, length, cid).putLong(mode.number())
            .putLong(first).putLong(second);
        for (byte[] part : parts) {
            bytes.putBytes(part, 0, part.length);
        }
        final OperationAnswer answer = send(type, cid, bytes, mode == CollectionMode.SORTED_CALL
            || bytes.length() > SHORT_REQUEST_MAX, OperationFormat.CONTENT_BYTES_MAX);
        if (answer.code() == OperationFormat.OUTSIDE) {
            throw MapCalls.outside();
        }
        if (answer.code() == OperationFormat.ELSEWHERE) {
            throw new OtherPartException(RangeState.CODEC.read(content(answer)));
        }
        if (FunctionFailures.isOf(answer)) {
            throw FunctionFailures.of(answer, parts[parts.length - 1], cid);
        }
        if (answer.code() != OperationFormat.DONE && answer.code() != OperationFormat.LONG_RESULT) {
            throw MapCalls.dropped();
        }
        return answer;
    }

    // ---- reads ----

    /** Returns a value, or null. */
    byte @Nullable [] value(CollectionMode mode, long first, byte[] content) {
        return value(send(OperationType.COLLECTION_READ, mode, first, 0, content));
    }

    byte @Nullable [] value(CollectionMode mode, long first) {
        return value(mode, first, NONE);
    }

    private static byte @Nullable [] value(OperationAnswer answer) {
        return answer.result() < 0 || answer.contentLength() != answer.result() ? null
            : Arrays.copyOfRange(answer.bytes(), OperationFormat.HEAD_BYTES, answer.bytes().length);
    }

    /** Returns a number of the collection; 0: the elements, 1: the bytes of memory, 2: audits the collection. */
    long number(int which) {
        return send(OperationType.COLLECTION_READ, CollectionMode.NUMBER, which, 0).result();
    }

    private static Input content(OperationAnswer answer) {
        return new Input(answer.bytes(), OperationFormat.HEAD_BYTES, answer.contentLength());
    }

    /** Returns what the owner says about a part of a sorted map. */
    PartReport look() {
        return size().report;
    }

    /** A report about a part of a sorted map, and whether the part fills its zone. */
    record Size(PartReport report, boolean fills) {}

    /** Returns what the owner says about the size of a part of a sorted map. */
    Size size() {
        final OperationAnswer answer = send(OperationType.COLLECTION_READ, CollectionMode.SORTED_PART, 0, 0);
        return new Size(PartReport.CODEC.read(content(answer)), answer.result() == OperationFormat.PART_FILLS);
    }

    /** Takes a step of a split; returns what the disks of the backups have then. */
    PartReport move(MoveMode mode, long first, long second, byte[] content) {
        final long cid = root();
        final RequestBytes bytes = RequestBytes.once().begin(OperationType.COLLECTION_MOVE, WriteLevel.BACKED, 0, 0,
            content.length, cid).putLong(mode.number()).putLong(first).putLong(second)
            .putBytes(content, 0, content.length);
        final OperationAnswer answer = send(OperationType.COLLECTION_MOVE, cid, bytes, true,
            OperationFormat.CONTENT_BYTES_MAX);
        if (answer.code() != OperationFormat.DONE) {
            throw MapCalls.dropped();
        }
        return PartReport.CODEC.read(content(answer));
    }

    /** An entry of a page: the key names an element of a queue or list. */
    record PageEntry(byte[] key, byte[] value) {
        /** Returns an entry whose key is a number. */
        static PageEntry of(long number, byte[] value) {
            final byte[] key = new byte[Long.BYTES];
            MemorySegment.ofArray(key).set(OperationFormat.LONG, 0, number);
            return new PageEntry(key, value);
        }

        /** Returns the first number of the key. */
        long number() {
            return MemorySegment.ofArray(key).get(OperationFormat.LONG, 0);
        }

        /** Returns the index of the end of a list, of an entry without a key. */
        long end() {
            return MemorySegment.ofArray(value).get(OperationFormat.LONG, 0);
        }

        /** Returns the offset of the place of an element of a queue. */
        int at() {
            return MemorySegment.ofArray(key).get(OperationFormat.INT, Long.BYTES);
        }
    }

    /** A page: the result of the answer, and the entries. */
    record Page(long result, List<PageEntry> entries) {}

    Page page(CollectionMode mode, long first, long second, byte[] content) {
        final OperationAnswer answer = send(OperationType.COLLECTION_READ, mode, first, second, content);
        final byte[] bytes = answer.bytes();
        final MemorySegment memory = MemorySegment.ofArray(bytes);
        final List<PageEntry> entries = new ArrayList<>();
        for (int at = OperationFormat.HEAD_BYTES; at < bytes.length; ) {
            final int key = at + 2 * Integer.BYTES;
            final int value = key + memory.get(OperationFormat.INT, at);
            at = value + memory.get(OperationFormat.INT, at + Integer.BYTES);
            entries.add(new PageEntry(Arrays.copyOfRange(bytes, key, value), Arrays.copyOfRange(bytes, value, at)));
        }
        return new Page(answer.result(), entries);
    }

    Page page(CollectionMode mode, long first, long second) {
        return page(mode, first, second, NONE);
    }

    /** A number of entries; the last key that was counted if there may be more. */
    record Counted(long count, byte @Nullable [] last) {}

    /** Counts entries of a range of a sorted map. */
    Counted count(byte[] range) {
        final OperationAnswer answer = send(OperationType.COLLECTION_READ, CollectionMode.SORTED_COUNT, 0, 0, range);
        return new Counted(answer.result(), answer.contentLength() == 0 ? null
            : Arrays.copyOfRange(answer.bytes(), OperationFormat.HEAD_BYTES, answer.bytes().length));
    }

    // ---- changes ----

    /** The outcome of a change: the result, and the value that is the result, if any. */
    record Outcome(long result, boolean isTooLong, byte @Nullable [] value) {
        boolean isDone() {
            return result == OperationFormat.MAP_DONE;
        }

        /** Returns one of the two numbers of the value. */
        long number(int index) {
            return value == null ? 0
                : MemorySegment.ofArray(value).get(OperationFormat.LONG, (long) index * Long.BYTES);
        }
    }

    Outcome change(CollectionMode mode, long first, long second, byte[]... parts) {
        final OperationAnswer answer = send(OperationType.COLLECTION_CHANGE, mode, first, second, parts);
        return answer.code() == OperationFormat.LONG_RESULT ? new Outcome(0, true, null)
            : new Outcome(answer.result(), false, value(answer));
    }

    /** Adds elements, some with each request; a long element has its own request. */
    <T> boolean addAll(CollectionMode one, CollectionMode many, Codec<T> codec, Collection<? extends T> elements) {
        checkOpen();
        final Object[] all = elements.toArray();
        final List<byte[]> waiting = new ArrayList<>();
        int length = 0;
        for (Object each : all) {
            @SuppressWarnings("unchecked") final byte[] bytes = element(codec, (T) Objects.requireNonNull(each));
            if (length + bytes.length > CollectionMode.ADDED_BYTES_MAX) {
                addAll(many, waiting);
                length = 0;
            }
            if (bytes.length > CollectionMode.ADDED_BYTES_MAX) {
                change(one, 0, 0, bytes);
            } else {
                waiting.add(bytes);
                length += bytes.length + Integer.BYTES;
            }
        }
        addAll(many, waiting);
        return all.length > 0;
    }

    /** Adds elements and forgets them. An owner that has no memory in the middle says how many it has added. */
    private void addAll(CollectionMode many, List<byte[]> elements) {
        while (!elements.isEmpty()) {
            final Output out = Output.growing(CollectionMode.ADDED_BYTES_MAX);
            for (byte[] each : elements) {
                out.putInt(each.length);
                out.putBytes(each, 0, each.length);
            }
            elements.subList(0, (int) change(many, 0, 0, out.toByteArray()).result()).clear();
        }
    }

    // ---- bytes ----

    /** Returns the bytes of an object, which are not too many for an element. */
    static <T> byte[] element(Codec<T> codec, T object) {
        final byte[] bytes = bytes(codec, object);
        checkLength(bytes.length);
        return bytes;
    }

    static void checkLength(long length) {
        if (length > OperationFormat.ELEMENT_BYTES_MAX) {
            throw new IllegalArgumentException("an element of " + length + " bytes: elements of queues and lists, and "
                + "entries of sorted maps, of a cluster are of at most " + OperationFormat.ELEMENT_BYTES_MAX);
        }
    }

    static <T> byte[] bytes(Codec<T> codec, T object) {
        final Output out = Output.growing(64);
        out.putValue(codec, object);
        return out.toByteArray();
    }

    static <T> T object(Codec<T> codec, byte[] bytes) {
        final Input in = new Input(bytes, 0, bytes.length);
        final T value = codec.read(in);
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the object");
        }
        return value;
    }
}
