package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.MoveMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.peer.Histories.Span;
import io.teff.engine.Cid;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * An operation of a simulated client on a part of a sorted map whose parts are in several zones.
 *
 * @param what the operation
 * @param root of the part; of {@link What#OPEN} a CID of the zone
 * @param name of the part that is opened
 * @param key of the operation, or the first key of a page
 * @param until key behind a page
 * @param value the new value
 * @param move step of a split
 * @param first an argument of the step
 * @param second an argument of the step
 * @param content of the step
 * @param objects the histories
 * @param answered takes the answer
 */
record SimRangeCall(What what, long root, String name, int key, int until, long value, MoveMode move, long first,
                    long second, byte[] content, SimObjects objects, Consumer<OperationAnswer> answered)
    implements SimAsk {
    /** Keys of the map. */
    static final int KEYS = 12;
    /** The history of a key is that of the CID of zone 1 with this index and the key. */
    static final long INDEX = 4_000;
    /** Result of an answer that says that the key is in another part. */
    static final long ELSEWHERE = Long.MIN_VALUE + 1;
    /** Some entries fill a slice of a split. */
    private static final int VALUE_BYTES = 6_000;
    private static final int CONTENT_MAX = 1 << 20;
    private static final int ENTRY_HEAD_BYTES = 8;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The operations. */
    enum What {
        OPEN(OperationType.COLLECTION_OPEN),
        PUT(OperationType.COLLECTION_CHANGE),
        TAKE(OperationType.COLLECTION_CHANGE),
        READ(OperationType.COLLECTION_READ),
        PAGE(OperationType.COLLECTION_READ),
        MOVE(OperationType.COLLECTION_MOVE);

        private final OperationType type;

        What(OperationType type) {
            this.type = type;
        }
    }

    /** Returns the bytes of a key. */
    static byte[] bytes(int key) {
        return new byte[] {(byte) key};
    }

    @Override
    public OperationType type() {
        return what.type;
    }

    @Override
    public long cid() {
        return root;
    }

    @Override
    public boolean isChange() {
        return what.type.isChange();
    }

    @Override
    public boolean waitsForLocks() {
        return false;
    }

    @Override
    public boolean isOfCollection() {
        return true;
    }

    // ---- the request ----

    @Override
    public byte[] request(int session, long ticket) {
        return switch (what) {
            case OPEN -> OperationCalls.collectionOpen(Cid.nid(root), NamedRoot.Kind.SORTED_MAP, name);
            case PUT -> change(CollectionMode.SORTED_SET, entry(), session, ticket);
            case TAKE -> change(CollectionMode.SORTED_DELETE, bytes(key), session, ticket);
            case READ -> OperationCalls.collectionRead(CollectionMode.SORTED_GET, root, 0, 0, bytes(key));
            case PAGE -> OperationCalls.collectionRead(CollectionMode.SORTED_PAGE, root, 1, 0, range());
            case MOVE -> OperationCalls.collectionMove(move, root, first, second, content);
        };
    }

    private byte[] change(CollectionMode mode, byte[] of, int session, long ticket) {
        return OperationCalls.collectionChange(mode, root, 1, 0, of, WriteLevel.BACKED, session, ticket);
    }

    private byte[] entry() {
        byte[] entry = new byte[1 + VALUE_BYTES];
        entry[0] = (byte) key;
        MemorySegment.ofArray(entry).set(LONG, 1, value);
        return entry;
    }

    private byte[] range() {
        Output out = Output.growing(64);
        out.putValue(KeyRange.CODEC, new KeyRange(bytes(key), true, bytes(until), false, true));
        return out.toByteArray();
    }

    // ---- the answer ----

    @Override
    public OperationAnswer read(byte[] bytes) {
        OperationAnswer answer = OperationAnswer.read(bytes, what.type, CONTENT_MAX);
        return answer.code() == OperationFormat.ELSEWHERE
            ? new OperationAnswer(OperationFormat.DONE, ELSEWHERE, bytes, 0) : answer;
    }

    private static Input content(OperationAnswer answer) {
        return new Input(answer.bytes(), OperationFormat.HEAD_BYTES, answer.contentLength());
    }

    /** Returns the bounds in an answer of another part. */
    static RangeState state(OperationAnswer answer) {
        return RangeState.CODEC.read(content(answer));
    }

    /** Returns the answer of a step of a split. */
    static PartReport part(OperationAnswer answer) {
        return PartReport.CODEC.read(content(answer));
    }

    private long register(int of) {
        return Cid.of(1, INDEX + of);
    }

    private static long value(OperationAnswer answer) {
        return answer.result() < 0 || answer.contentLength() < Long.BYTES ? Histories.ABSENT
            : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES);
    }

    private long next() {
        return what == What.PUT ? value : Histories.ABSENT;
    }

    @Override
    public void unknown(Histories histories, long calledNs, String note) {
        if (isChange()) {
            objects.registers.write(register(key), Histories.unknown(calledNs, WriteLevel.BACKED, note + ", " + what),
                next());
        }
    }

    @Override
    public void done(Histories histories, LockHistory locks, OperationAnswer answer, long calledNs, long sentNs,
                     long nowNs, String who) {
        answered.accept(answer);
        if (answer.result() == ELSEWHERE) {
            return;                                             // nothing was done, and nothing will be
        }
        Span span = new Span(calledNs, nowNs, WriteLevel.BACKED, who + ", " + what);
        switch (what) {
            case READ -> reads(sentNs, nowNs, key, value(answer), span.note());
            case PAGE -> paged(answer, sentNs, nowNs, span.note());
            case PUT, TAKE -> {
                if (what == What.TAKE && SimCollectionCall.isAbsent(answer)) {
                    reads(calledNs, nowNs, key, Histories.ABSENT, span.note());
                } else {
                    objects.registers.write(register(key), span, next());
                }
            }
            default -> { }
        }
    }

    private void reads(long fromNs, long nowNs, int of, long seen, String note) {
        objects.registers.read(register(of), fromNs, nowNs, seen, note);
    }

    /** Returns the key up to which a page has shown all entries. */
    int end(OperationAnswer answer) {
        int[] last = {key - 1};
        visit(answer, (shown, _) -> last[0] = shown);
        return answer.result() == 0 ? until : last[0] + 1;
    }

    private interface Visitor {
        void entry(int key, long value);
    }

    private static void visit(OperationAnswer answer, Visitor visitor) {
        MemorySegment page = MemorySegment.ofArray(answer.bytes());
        for (long from = OperationFormat.HEAD_BYTES; from < answer.bytes().length; ) {
            int keyLength = page.get(INT, from);
            int valueLength = page.get(INT, from + Integer.BYTES);
            visitor.entry(page.get(ValueLayout.JAVA_BYTE, from + ENTRY_HEAD_BYTES),
                page.get(LONG, from + ENTRY_HEAD_BYTES + keyLength));
            from += ENTRY_HEAD_BYTES + keyLength + valueLength;
        }
    }

    private void paged(OperationAnswer answer, long sentNs, long nowNs, String note) {
        long[] values = new long[KEYS];
        Arrays.fill(values, Histories.ABSENT);
        visit(answer, (shown, of) -> {
            if (shown < key || shown >= until || values[shown] != Histories.ABSENT) {
                throw new AssertionError("a page from " + key + " to " + until + " shows key " + shown);
            }
            values[shown] = of;
        });
        for (int each = key; each < end(answer); each++) {
            reads(sentNs, nowNs, each, values[each], note);
        }
    }
}
