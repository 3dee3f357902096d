package io.teff.cluster.operation;

import io.teff.engine.Cid;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.Zones;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request for a group of changes: chunk by chunk, without padding.
 * <pre>
 *  0        8           9        10   12                   16                  20  24
 * +--------+-----------+--------+----+--------------------+-------------------+---+----------+---------+
 * | CID    | condition | change | 0  | bytes expected     | bytes of content  | 0 | expected | content |
 * +--------+-----------+--------+----+--------------------+-------------------+---+----------+---------+
 *
 *  conditions 0 none, 1 present, 2 absent, 3 equal, 4 a number that is not above the expected;
 *  changes 0 none, 1 put, 2 remove
 * </pre>
 */
public final class GroupBytes {
    /** Longest content of a request. */
    public static final int BYTES_MAX = 1 << 20;
    /** Bytes in front of the contents of a chunk. */
    public static final int HEAD_BYTES = 24;

    private static final ChunkChange.Condition[] CONDITIONS = ChunkChange.Condition.values();
    private static final ChunkChange.Change[] CHANGES = ChunkChange.Change.values();
    private static final int CONDITION_AT = 8;
    private static final int CHANGE_AT = 9;
    private static final int ZERO_AT = 10;
    private static final int EXPECTED_AT = 12;
    private static final int CONTENT_AT = 16;
    private static final int LAST_ZERO_AT = 20;
    private static final int CHANGE_SHIFT = 8;

    private GroupBytes() {}

    /**
     * Appends a chunk to a request.
     *
     * @param to the request
     * @param change the chunk
     */
    public static void put(RequestBytes to, ChunkChange change) {
        final byte[] expected = change.expected();
        final byte[] content = change.content();
        to.putLong(change.cid()).putInt(change.condition().ordinal() | change.change().ordinal() << CHANGE_SHIFT)
            .putInt(expected == null ? 0 : expected.length).putInt(content == null ? 0 : content.length).putInt(0);
        if (expected != null) {
            to.putBytes(expected, 0, expected.length);
        }
        if (content != null) {
            to.putBytes(content, 0, content.length);
        }
    }

    /**
     * Reads the chunks of a request.
     *
     * @throws MalformedException if the bytes are none, or the chunks are not different ones of the zone
     */
    static List<ChunkChange> read(MemorySegment from, long at, int length, int zone) {
        final List<ChunkChange> changes = new ArrayList<>();
        final Set<Long> cids = new HashSet<>();
        final long end = at + length;
        for (long next = at; next < end; ) {
            check(end - next >= HEAD_BYTES);
            final int condition = from.get(ValueLayout.JAVA_BYTE, next + CONDITION_AT);
            final int change = from.get(ValueLayout.JAVA_BYTE, next + CHANGE_AT);
            final int expected = from.get(OperationFormat.INT, next + EXPECTED_AT);
            final int content = from.get(OperationFormat.INT, next + CONTENT_AT);
            final long cid = from.get(OperationFormat.LONG, next);
            check(condition >= 0 && condition < CONDITIONS.length && change >= 0 && change < CHANGES.length);
            check(OperationFormat.isZero(from, next + ZERO_AT, 2) && OperationFormat.isZero(from, next + LAST_ZERO_AT,
                Integer.BYTES));
            check(expected >= 0 && expected <= end - next && content >= 0 && content <= end - next);
            check((long) expected + content <= end - next - HEAD_BYTES);
            final boolean isCompared = CONDITIONS[condition].hasContent();
            final boolean isPut = CHANGES[change] == ChunkChange.Change.PUT;
            check(CONDITIONS[condition] != ChunkChange.Condition.NOT_ABOVE || expected == ChunkChange.NUMBER_BYTES);
            check((isCompared || expected == 0) && (isPut || content == 0));
            check(CONDITIONS[condition] != ChunkChange.Condition.ABSENT || CHANGES[change] == ChunkChange.Change.NONE);
            check(Cid.nid(cid) == zone && cids.add(cid) && cids.size() <= Zones.CHANGES_MAX);
            changes.add(new ChunkChange(cid, CONDITIONS[condition],
                isCompared ? bytes(from, next + HEAD_BYTES, expected) : null, CHANGES[change],
                isPut ? bytes(from, next + HEAD_BYTES + expected, content) : null));
            next += HEAD_BYTES + expected + content;
        }
        return changes;
    }

    private static byte @Nullable [] bytes(MemorySegment from, long at, int count) {
        return from.asSlice(at, count).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void check(boolean isValid) {
        if (!isValid) {
            throw OperationRequest.malformed("a wrong group of changes");
        }
    }
}
