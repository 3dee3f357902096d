package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.BatchAnswer;
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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An operation of a simulated client on a queue, list, counter or map of a zone, or on a batch of entries.
 *
 * @param what the operation
 * @param zone the zone
 * @param name of a collection that is opened, or of the object in histories
 * @param root of the collection; 0 to open one
 * @param at index in a list, key of a map, or number of the partition of a page
 * @param value the new value
 * @param objects the histories
 * @param answered takes the answer of an operation that was done
 */
record SimCollectionCall(What what, int zone, String name, long root, long at, long value, SimObjects objects,
                         Consumer<OperationAnswer> answered) implements SimAsk {
    /** Entries of a batch. */
    static final int BATCH = 4;
    /** Partitions of the map whose partitions are in several zones; key k is in partition k modulo this. */
    static final int PARTITIONS = 3;
    /** Keys of that map. */
    static final int WIDE_KEYS = 6;
    /** The history of key k of that map is that of the CID of zone 1 with this index and k. */
    static final long WIDE_INDEX = 3_000;
    /** The history of key k of the batches of a zone is that of the CID with this index and k. */
    static final long BATCH_INDEX = 2_000;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int CONTENT_MAX = 64 << 10;
    private static final int ENTRY_HEAD_BYTES = 8;

    /** The operations. */
    enum What {
        OPEN_MAP(OperationType.MAP_OPEN),
        OPEN_QUEUE(OperationType.COLLECTION_OPEN),
        OPEN_LIST(OperationType.COLLECTION_OPEN),
        OFFER(OperationType.COLLECTION_CHANGE, CollectionMode.QUEUE_OFFER),
        OFFER_ALL(OperationType.COLLECTION_CHANGE, CollectionMode.QUEUE_OFFER_ALL),
        POLL(OperationType.COLLECTION_CHANGE, CollectionMode.QUEUE_POLL),
        PEEK(OperationType.COLLECTION_READ, CollectionMode.QUEUE_PEEK),
        ADD(OperationType.COLLECTION_CHANGE, CollectionMode.LIST_ADD),
        INSERT(OperationType.COLLECTION_CHANGE, CollectionMode.LIST_INSERT),
        SET(OperationType.COLLECTION_CHANGE, CollectionMode.LIST_SET),
        GET(OperationType.COLLECTION_READ, CollectionMode.LIST_GET),
        REMOVE(OperationType.COLLECTION_CHANGE, CollectionMode.LIST_REMOVE),
        /** Adds one to a counter, and returns the sum. */
        COUNT(OperationType.MAP_CHANGE),
        COUNT_READ(OperationType.MAP_GET),
        /** Adds one to all counters of a zone, each once. */
        COUNT_ALL(OperationType.MAPS_CHANGE),
        PUT_ALL(OperationType.MAPS_CHANGE),
        REMOVE_ALL(OperationType.MAPS_CHANGE),
        GET_ALL(OperationType.MAPS_GET),
        /** Puts the row of a map with partitions, unless there is one. */
        ROW(OperationType.MAP_CHANGE),
        PUT(OperationType.MAP_CHANGE),
        TAKE(OperationType.MAP_CHANGE),
        READ(OperationType.MAP_GET),
        /** Reads all entries of a partition. */
        SCAN(OperationType.MAP_PAGE);

        private final OperationType type;
        private final CollectionMode mode;

        What(OperationType type) {
            this(type, CollectionMode.NUMBER);
        }

        What(OperationType type, CollectionMode mode) {
            this.type = type;
            this.mode = mode;
        }
    }

    @Override
    public OperationType type() {
        return what.type;
    }

    @Override
    public long cid() {
        return Cid.of(zone, 0);
    }

    @Override
    public boolean isChange() {
        return what.type.isChange();
    }

    @Override
    public boolean waitsForLocks() {
        return !what.type.isOfMaps();
    }

    @Override
    public boolean isOfCollection() {
        return true;
    }

    private long register(long key) {
        return what.type == OperationType.MAPS_CHANGE || what == What.GET_ALL ? Cid.of(zone, BATCH_INDEX + key)
            : Cid.of(1, WIDE_INDEX + key);
    }

    // ---- the request ----

    @Override
    public byte[] request(int session, long ticket) {
        byte[] none = new byte[0];
        return switch (what) {
            case OPEN_MAP -> OperationCalls.mapOpen(zone, name);
            case OPEN_QUEUE -> OperationCalls.collectionOpen(zone, NamedRoot.Kind.QUEUE, name);
            case OPEN_LIST -> OperationCalls.collectionOpen(zone, NamedRoot.Kind.LIST, name);
            case OFFER, ADD, SET, INSERT -> change(SimOperation.mapBytes(value), session, ticket);
            case OFFER_ALL -> change(two(), session, ticket);
            case POLL, REMOVE -> change(none, session, ticket);
            case PEEK, GET -> OperationCalls.collectionRead(what.mode, root, at, 0, none);
            case COUNT -> OperationCalls.mapChange(MapMode.APPLY, root, key(), none, sum(), session, ticket);
            case COUNT_READ, READ -> OperationCalls.mapGet(root, key());
            case COUNT_ALL -> OperationCalls.mapsChange(MapMode.MODIFY, root, BATCH, sum(), session, ticket);
            case PUT_ALL -> OperationCalls.mapsChange(MapMode.SET, root, BATCH, SimOperation.mapBytes(value), session,
                ticket);
            case REMOVE_ALL -> OperationCalls.mapsChange(MapMode.DELETE, root, BATCH, none, session, ticket);
            case GET_ALL -> OperationCalls.mapsGet(root, BATCH);
            case ROW -> OperationCalls.mapChange(MapMode.PUT_IF_ABSENT, root, key(), none, Histories.bytes(value),
                session, ticket);
            case PUT -> OperationCalls.mapChange(MapMode.PUT, root, key(), none, SimOperation.mapBytes(value), session,
                ticket);
            case TAKE -> OperationCalls.mapChange(MapMode.REMOVE, root, key(), none, none, session, ticket);
            case SCAN -> OperationCalls.mapPage(root, 0);
        };
    }

    private byte[] change(byte[] content, int session, long ticket) {
        return OperationCalls.collectionChange(what.mode, root, at, 0, content, WriteLevel.BACKED, session, ticket);
    }

    /** Returns two elements: the value, and its opposite number. */
    private byte[] two() {
        byte[] both = new byte[2 * (Integer.BYTES + Long.BYTES)];
        MemorySegment memory = MemorySegment.ofArray(both);
        for (int i = 0; i < 2; i++) {
            memory.set(INT, i * (Integer.BYTES + Long.BYTES), Long.BYTES);
            memory.set(LONG, i * (Integer.BYTES + Long.BYTES) + Integer.BYTES, i == 0 ? value : -value);
        }
        return both;
    }

    private byte[] key() {
        byte[] key = new byte[Integer.BYTES];
        MemorySegment.ofArray(key).set(INT, 0, (int) at);
        return key;
    }

    private static byte[] sum() {
        return RawFunction.of(ValueChange.add(1), Codecs.LONG).toBytes();
    }

    // ---- the answer ----

    @Override
    public OperationAnswer read(byte[] answer) {
        if (!what.type.isOfMaps()) {
            return OperationAnswer.read(answer, what.type, CONTENT_MAX);
        }
        BatchAnswer batch = BatchAnswer.read(answer, BATCH, what.type);
        int code = batch.code(0);
        boolean isWhole = batch.sections() == 1 && batch.refusal() == null;
        for (int i = 0; i < BATCH; i++) {
            isWhole &= batch.result(i) != OperationFormat.NOT_DONE;
        }
        boolean mayBeDone = code == OperationFormat.DONE && !isWhole || isChange() && (code == OperationFormat.BUSY
            || code == OperationFormat.NOT_HERE);
        return new OperationAnswer(mayBeDone ? OperationFormat.DEPOSED : code, 0,
            code == OperationFormat.DONE ? answer : new byte[OperationFormat.HEAD_BYTES], 0);
    }

    private static long content(OperationAnswer answer) {
        return answer.result() < 0 || answer.contentLength() < Long.BYTES ? Histories.ABSENT
            : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES);
    }

    @Override
    public void unknown(Histories histories, long calledNs, String note) {
        made(Histories.unknown(calledNs, WriteLevel.BACKED, note + ", " + what), null);
    }

    @Override
    public void done(Histories histories, LockHistory locks, OperationAnswer answer, long calledNs, long sentNs,
                     long nowNs, String who) {
        Span span = new Span(calledNs, nowNs, WriteLevel.BACKED, who + ", " + what);
        Span read = new Span(sentNs, nowNs, WriteLevel.BACKED, span.note());
        answered.accept(answer);
        switch (what) {
            case OPEN_MAP, OPEN_QUEUE, OPEN_LIST, ROW -> { }
            case PEEK, GET, COUNT_READ -> sequence(read, content(answer));
            case READ -> reads(read, at, content(answer));
            case SCAN -> scanned(answer, read);
            case GET_ALL -> {
                BatchAnswer batch = BatchAnswer.read(answer.bytes(), BATCH, what.type);
                int from = batch.firstContent();
                for (int i = 0; i < BATCH; i++) {
                    boolean isThere = batch.result(i) >= 0;
                    reads(read, i, isThere ? MemorySegment.ofArray(answer.bytes()).get(LONG, from) : Histories.ABSENT);
                    from += isThere ? (int) batch.result(i) : 0;
                }
            }
            default -> made(span, content(answer));
        }
    }

    private void reads(Span span, long key, long value) {
        objects.registers.read(register(key), span.calledNs(), span.returnedNs(), value, span.note());
    }

    /** Each key of the partition is shown, or was absent at some moment of the scan. */
    private void scanned(OperationAnswer answer, Span span) {
        MemorySegment page = MemorySegment.ofArray(answer.bytes());
        long[] values = new long[WIDE_KEYS];
        for (long from = OperationFormat.HEAD_BYTES; from < answer.bytes().length; ) {
            int keyLength = page.get(INT, from);
            int valueLength = page.get(INT, from + Integer.BYTES);
            int key = page.get(INT, from + ENTRY_HEAD_BYTES);
            if (key % PARTITIONS != at || values[key] != Histories.ABSENT) {
                throw new AssertionError("a scan of partition " + at + " shows key " + key + " again, or another one");
            }
            values[key] = page.get(LONG, from + ENTRY_HEAD_BYTES + keyLength);
            from += ENTRY_HEAD_BYTES + keyLength + valueLength;
        }
        for (int key = (int) at; key < WIDE_KEYS; key += PARTITIONS) {
            reads(span, key, values[key]);
        }
    }

    /** Adds a change that was made, with the content of its answer; or perhaps, without. */
    private void made(Span span, Long before) {
        switch (what) {
            case COUNT_ALL -> {
                for (int i = 0; i < BATCH; i++) {
                    add(objects.of("counter " + i + " of zone " + zone), span, SimCollectionCall::raised);
                }
            }
            case PUT_ALL, REMOVE_ALL -> {
                for (int i = 0; i < BATCH; i++) {
                    objects.registers.write(register(i), span, what == What.PUT_ALL ? value : Histories.ABSENT);
                }
            }
            case PUT, TAKE -> {
                long next = what == What.PUT ? value : Histories.ABSENT;
                if (before == null) {
                    objects.registers.write(register(at), span, next);
                } else if (what == What.TAKE && before == Histories.ABSENT) {
                    reads(span, at, before);
                } else {
                    objects.registers.update(register(at), span, before, next);
                }
            }
            case OPEN_MAP, OPEN_QUEUE, OPEN_LIST, ROW -> { }
            default -> sequence(span, before);
        }
    }

    private static void add(SequentialHistory history, Span span, SequentialHistory.Step step) {
        if (span.isUnknown()) {
            history.addUnknown(span.calledNs(), step, span.note());
        } else {
            history.add(span.calledNs(), span.returnedNs(), step, span.note());
        }
    }

    // ---- queues, lists and counters ----

    private static List<Long> raised(List<Long> before) {
        return List.of(before.isEmpty() ? 1 : before.getFirst() + 1);
    }

    /** Adds an operation with the content of its answer; null if the answer is unknown. */
    private void sequence(Span span, Long content) {
        String of = what == What.COUNT || what == What.COUNT_READ ? "counter " + at + " of zone " + zone : name;
        add(objects.of(of), new Span(span.calledNs(), span.returnedNs(), span.level(), span.note() + ' ' + at + ' '
            + value + " -> " + content), before -> {
                List<Long> after = new ArrayList<>(before);
                return switch (what) {
                    case OFFER, ADD -> with(after, value);
                    case OFFER_ALL -> with(with(after, value), -value);
                    case POLL -> is(content, before.isEmpty() ? Histories.ABSENT : after.removeFirst()) ? after : null;
                    case PEEK -> is(content, before.isEmpty() ? Histories.ABSENT : before.getFirst()) ? after : null;
                    case GET -> is(content, element(before)) ? after : null;
                    case SET -> is(content, at < after.size() ? after.set((int) at, value) : Histories.ABSENT) ? after
                        : null;
                    case REMOVE -> is(content, at < after.size() ? after.remove((int) at) : Histories.ABSENT) ? after
                        : null;
                    case INSERT -> inserted(after);
                    case COUNT -> is(content, raised(before).getFirst()) ? raised(before) : null;
                    case COUNT_READ -> is(content, before.isEmpty() ? Histories.ABSENT : before.getFirst()) ? after
                        : null;
                    default -> throw new AssertionError(what);
                };
            });
    }

    private static boolean is(Long content, long value) {
        return content == null || content == value;
    }

    private long element(List<Long> list) {
        return at < list.size() ? list.get((int) at) : Histories.ABSENT;
    }

    private List<Long> inserted(List<Long> list) {
        if (at <= list.size()) {
            list.add((int) at, value);
        }
        return list;
    }

    private static List<Long> with(List<Long> list, long element) {
        list.add(element);
        return list;
    }

    /** Returns whether an answer says that nothing is there. */
    static boolean isAbsent(OperationAnswer answer) {
        return answer.result() == Status.ABSENT;
    }
}
