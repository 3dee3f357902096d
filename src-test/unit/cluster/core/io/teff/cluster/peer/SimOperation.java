package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.MapMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.peer.Histories.Span;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.Status;
import io.teff.engine.raw.RawFunction;
import io.teff.engine.zone.ChunkChange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
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
 * @param map what is done to a map; or null
 */
record SimOperation(OperationType type, WriteLevel level, long cid, long expected, long value, long leaseNs,
                    LockHistory.@Nullable Hold held, List<ChunkChange> group, @Nullable OfMap map) implements SimAsk {
    /** Name of the map of a zone. */
    static final String MAP_NAME = "map";
    /** The history of key k of the map of a zone is that of the CID with this index and k. */
    static final long MAP_INDEX = 1_000;
    /** Longest value of a map. */
    static final int MAP_BYTES_MAX = 600;

    /** The name of the queue of a zone; its operations are of the CID with this index. */
    static final String QUEUE_NAME = "queue";
    static final long QUEUE_INDEX = MAP_INDEX + 100;
    static final String SORTED_NAME = "sorted";
    /** Keys from here on are those of the sorted map of a zone. */
    static final int SORTED_KEY = 2;

    /** The collections of a zone. */
    enum Kind { MAP, SORTED_MAP, QUEUE }

    /** An operation on a map or on the queue of a zone. */
    record OfMap(Kind kind, long root, @Nullable MapMode mode) {}

    /** Returns the collection with a key, or of an index above the chunks. */
    static Kind kindOf(long cid) {
        long index = Cid.index(cid);
        return index >= QUEUE_INDEX ? Kind.QUEUE : index >= MAP_INDEX + SORTED_KEY ? Kind.SORTED_MAP : Kind.MAP;
    }

    /** An operation that is none of a map. */
    SimOperation(OperationType type, WriteLevel level, long cid, long expected, long value, long leaseNs,
                 LockHistory.@Nullable Hold held, List<ChunkChange> group) {
        this(type, level, cid, expected, value, leaseNs, held, group, null);
    }

    /** Opens or makes a collection of a zone. */
    static SimOperation mapOpen(int zone, Kind kind) {
        return new SimOperation(kind == Kind.MAP ? OperationType.MAP_OPEN : OperationType.COLLECTION_OPEN,
            WriteLevel.BACKED, Cid.of(zone, 0), 0, 0, 0, null, List.of(), new OfMap(kind, 0, null));
    }

    /** Adds an element to the queue of a zone, or takes the first one if the value is 0. */
    static SimOperation queue(long root, long value) {
        return new SimOperation(OperationType.COLLECTION_CHANGE, WriteLevel.BACKED, Cid.of(Cid.nid(root), QUEUE_INDEX),
            0, value, 0, null, List.of(), new OfMap(Kind.QUEUE, root, null));
    }

    /** Reads or changes an entry. */
    static SimOperation map(@Nullable MapMode mode, WriteLevel level, long root, int key, long expected, long value) {
        Kind kind = kindOf(Cid.of(0, MAP_INDEX + key));
        OperationType type = kind == Kind.MAP ? mode == null ? OperationType.MAP_GET : OperationType.MAP_CHANGE
            : mode == null ? OperationType.COLLECTION_READ : OperationType.COLLECTION_CHANGE;
        return new SimOperation(type, level, Cid.of(Cid.nid(root), MAP_INDEX + key), expected, value, 0, null,
            List.of(), new OfMap(kind, root, mode));
    }

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

    @Override
    public boolean isChange() {
        return type.isChange();
    }

    @Override
    public boolean waitsForLocks() {
        return type != OperationType.UNLOCK && type != OperationType.RENEW_LOCK;
    }

    /** Whether its result is a lock, or about one. */
    private boolean isOfLocks() {
        return switch (type) {
            case LOCK, SWAP_LOCK, UNLOCK, RENEW_LOCK -> true;
            default -> false;
        };
    }

    @Override
    public boolean isOfCollection() {
        return map != null;
    }

    @Override
    public OperationAnswer read(byte[] answer) {
        return OperationAnswer.read(answer, type, map == null ? ModelZones.BYTES : MAP_BYTES_MAX);
    }

    @Override
    public byte[] request(int session, long ticket) {
        if (map != null) {
            return mapRequest(map, session, ticket);
        }
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

    private byte[] mapRequest(OfMap of, int session, long ticket) {
        if (type == OperationType.MAP_OPEN) {
            return OperationCalls.mapOpen(Cid.nid(cid), MAP_NAME);
        }
        if (type == OperationType.COLLECTION_OPEN) {
            return of.kind == Kind.QUEUE ? OperationCalls.collectionOpen(Cid.nid(cid), NamedRoot.Kind.QUEUE, QUEUE_NAME)
                : OperationCalls.collectionOpen(Cid.nid(cid), NamedRoot.Kind.SORTED_MAP, SORTED_NAME);
        }
        if (of.kind == Kind.QUEUE) {
            return OperationCalls.collectionChange(value == 0 ? CollectionMode.QUEUE_POLL : CollectionMode.QUEUE_OFFER,
                of.root, 0, 0, value == 0 ? new byte[0] : mapBytes(value), level, session, ticket);
        }
        byte[] key = {(byte) (Cid.index(cid) - MAP_INDEX)};
        MapMode mode = of.mode;
        if (mode == null) {
            return of.kind == Kind.MAP ? OperationCalls.mapGet(of.root, key)
                : OperationCalls.collectionRead(CollectionMode.SORTED_GET, of.root, 0, 0, key);
        }
        byte[] wanted = mode == MapMode.REPLACE_IF_SAME ? mapBytes(expected) : new byte[0];
        byte[] next = isRemoval(mode) ? new byte[0] : mode == MapMode.APPLY ? function(value) : mapBytes(value);
        if (of.kind == Kind.MAP) {
            return OperationCalls.mapChange(mode, of.root, key, wanted, next, level, session, ticket);
        }
        byte[] content = Arrays.copyOf(key, 1 + wanted.length + next.length);
        System.arraycopy(wanted, 0, content, 1, wanted.length);
        System.arraycopy(next, 0, content, 1 + wanted.length, next.length);
        return OperationCalls.collectionChange(CollectionMode.ofChange(mode), of.root, 1, wanted.length, content, level,
            session, ticket);
    }

    /** Returns the function that replaces the first 8 bytes of a value: made again, it would hide a later value. */
    private static byte[] function(long value) {
        return RawFunction.of(ValueChange.set(value).toLong(0), Codecs.BYTES).toBytes();
    }

    /** Returns the bytes of a value in a map; some are so long that the entry has a chunk of its own. */
    static byte[] mapBytes(long value) {
        return Arrays.copyOf(Histories.bytes(value), value % 3 == 0 ? MAP_BYTES_MAX : Long.BYTES);
    }

    private static boolean isRemoval(MapMode mode) {
        return mode == MapMode.REMOVE || mode == MapMode.DELETE;
    }

    /** Adds to the history what a change of a map has done, or may have done: nothing is known of the value before. */
    private void mapMade(MapMode mode, Histories histories, Span span) {
        switch (mode) {
            case PUT_IF_ABSENT -> histories.update(cid, span, Histories.ABSENT, value);
            case REPLACE_IF_SAME -> histories.update(cid, span, expected, value);
            case REPLACE -> histories.write(cid, span, value);
            default -> histories.write(cid, span, isRemoval(mode) ? Histories.ABSENT : value);
        }
    }

    private void mapDone(OfMap of, Histories histories, OperationAnswer answer, long from, Span span) {
        MapMode mode = of.mode;
        if (type == OperationType.MAP_OPEN || type == OperationType.COLLECTION_OPEN) {
            return;
        }
        long before = answer.result() < 0 ? Histories.ABSENT
            : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES);
        boolean isDone = answer.result() == OperationFormat.MAP_DONE;
        if (of.kind == Kind.QUEUE) {
            histories.queue(Cid.nid(cid)).done(value, before, span);
        } else if (mode == null) {
            histories.read(cid, from, span.returnedNs(), before, span.note());
        } else if (isDone) {
            mapMade(mode, histories, span);
        } else if (mode == MapMode.APPLY && before != Histories.ABSENT) {
            histories.write(cid, span, before);
        } else if (mode == MapMode.PUT || mode == MapMode.SET || mode == MapMode.REMOVE && before != Histories.ABSENT
            || mode == MapMode.PUT_IF_ABSENT && before == Histories.ABSENT) {
            histories.update(cid, span, before, isRemoval(mode) ? Histories.ABSENT : value);
        } else {
            histories.read(cid, span.calledNs(), span.returnedNs(), before, span.note());
        }
    }

    /** Adds to the history that it was made, or perhaps. */
    private void made(Histories histories, Span span) {
        if (map != null) {
            if (map.kind == Kind.QUEUE && type == OperationType.COLLECTION_CHANGE) {
                histories.queue(Cid.nid(cid)).unknown(value, span);
            } else if (map.mode != null) {
                mapMade(map.mode, histories, span);
            }
            return;
        }
        switch (type) {
            case PUT -> histories.write(cid, span, value);
            case REMOVE -> histories.write(cid, span, Histories.ABSENT);
            case COMPARE_AND_SET -> histories.update(cid, span, expected, value);
            case GROUP -> histories.group(group, span);
            default -> { }
        }
    }

    @Override
    public void unknown(Histories histories, long calledNs, String note) {
        made(histories, Histories.unknown(calledNs, level, note));
    }

    @Override
    public void done(Histories histories, LockHistory locks, OperationAnswer answer, long calledNs, long sentNs,
                     long nowNs, String who) {
        String note = who + ", " + level + (held == null ? "" : ", token " + held.token);
        long result = answer.result();
        if (map != null) {
            mapDone(map, histories, answer, sentNs, new Span(calledNs, nowNs, level, note + ", " + map.mode));
            return;
        }
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
