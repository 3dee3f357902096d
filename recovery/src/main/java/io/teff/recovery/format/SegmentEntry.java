package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.lang.foreign.MemorySegment;

/**
 * The head of an entry of a segment ({@link SegmentLayout}), as last read. For one thread.
 *
 * <p>The index is the index of the CID less the first index of the zone ({@link ZoneId#firstIndex}). A CID with another
 * creator or outside the zone is stored before the payload, and counts as a part of the payload. The kind
 * {@link EntryKind#BYTES} is stored as 0; its payload is never empty, so no entry begins with a zero.
 */
final class SegmentEntry {
    /** Bytes of the longest head. */
    static final int HEAD_BYTES_MAX = 1 + 4 + 1 + 3 + 10;
    /** The longest payload, including a CID before it. */
    static final int LENGTH_MAX = (1 << 24) - 1;
    /** Index of an entry whose CID is stored before the payload. */
    static final long FOREIGN = 0xFFFF_FFFFL;

    private static final int KIND_MASK = 7;
    private static final int INDEX_SHIFT = 3;
    private static final int INDEX_MASK = 3;
    private static final int GENERATION = 1 << 5;
    private static final int LENGTH_SHIFT = 6;
    private static final int GENERATION_SHIFT = 40;
    private static final int GROUP_BITS = 7;
    private static final int MORE = 1 << GROUP_BITS;

    private int kind;
    private int length;
    private long payloadAt;
    private long checkAt;
    private long cid;
    private long delta;

    /** Returns the index of a CID in a zone, or {@link #FOREIGN}. */
    static long indexOf(long cid, int owner, int zone) {
        final long index = Cid.index(cid) - ZoneId.firstIndex(zone);
        return Cid.nid(cid) == owner && index >= 0 && index < FOREIGN ? index : FOREIGN;
    }

    /**
     * Writes a head.
     *
     * @param length of the payload, including a CID before it if the index is {@link #FOREIGN}
     * @param delta sequence number less that of the previous entry
     * @return offset of the payload
     */
    static long write(MemorySegment target, long at, int kind, long index, int generation, int length, long delta) {
        assert length <= LENGTH_MAX : length;
        final int indexBytes = Math.max(1, LittleEndian.bytesOf(index));
        final int lengthBytes = LittleEndian.bytesOf(length);
        assert kind != EntryKind.BYTES || length > 0 : "zeros are no entry";
        LittleEndian.putByte(target, at, kind & KIND_MASK | indexBytes - 1 << INDEX_SHIFT
            | (generation != 0 ? GENERATION : 0) | lengthBytes << LENGTH_SHIFT);
        long end = at + 1;
        LittleEndian.putShortest(target, end, index, indexBytes);
        end += indexBytes;
        if (generation != 0) {
            LittleEndian.putByte(target, end++, generation);
        }
        LittleEndian.putShortest(target, end, length, lengthBytes);
        end += lengthBytes;
        long rest = delta << 1 ^ delta >> Long.SIZE - 1;
        for (; rest >>> GROUP_BITS != 0; rest >>>= GROUP_BITS) {
            LittleEndian.putByte(target, end++, (int) rest & MORE - 1 | MORE);
        }
        LittleEndian.putByte(target, end++, (int) rest);
        return end;
    }

    /**
     * Reads a head, and the end of the entry according to it. Only the check behind the payload proves it.
     *
     * @param end limit of the end of the entry
     * @return whether such an entry is possible
     */
    boolean read(MemorySegment source, long at, long end, SegmentId id) {
        final int type = at < end ? LittleEndian.getByte(source, at) : 0;
        final int indexBytes = (type >>> INDEX_SHIFT & INDEX_MASK) + 1;
        final int lengthBytes = type >>> LENGTH_SHIFT;
        final long generationAt = at + 1 + indexBytes;
        final long lengthAt = generationAt + ((type & GENERATION) != 0 ? 1 : 0);
        kind = (type & KIND_MASK) == 0 ? EntryKind.BYTES : type & KIND_MASK;
        if (kind == EntryKind.BYTES && lengthBytes == 0 || lengthAt + lengthBytes > end) {
            return false;
        }
        length = (int) LittleEndian.getShortest(source, lengthAt, lengthBytes);
        payloadAt = readDelta(source, lengthAt + lengthBytes, end);
        if (payloadAt < 0 || length + SegmentLayout.CHECK_BYTES > end - payloadAt) {
            return false;
        }
        checkAt = payloadAt + length;
        final long index = LittleEndian.getShortest(source, at + 1, indexBytes);
        return kind == EntryKind.END || (index == FOREIGN ? readForeign(source)
            : readOwn(index, lengthAt > generationAt ? LittleEndian.getByte(source, generationAt) : 0, id));
    }

    private boolean readForeign(MemorySegment source) {
        if (length < Long.BYTES) {
            return false;
        }
        cid = LittleEndian.getLong(source, payloadAt);
        payloadAt += Long.BYTES;
        length -= Long.BYTES;
        return true;
    }

    private boolean readOwn(long inZone, long generation, SegmentId id) {
        final long index = ZoneId.firstIndex(id.zone()) + inZone;
        if (index >>> GENERATION_SHIFT != 0) {
            return false;
        }
        cid = Cid.of(id.owner(), generation << GENERATION_SHIFT | index);
        return true;
    }

    /** Reads a difference. Returns the offset behind the difference, or -1 if there is no difference. */
    private long readDelta(MemorySegment source, long from, long end) {
        long raw = 0;
        long at = from;
        for (int shift = 0; shift < Long.SIZE && at < end; shift += GROUP_BITS) {
            final int group = LittleEndian.getByte(source, at++);
            raw |= (long) (group & MORE - 1) << shift;
            if (group < MORE) {
                delta = raw >>> 1 ^ -(raw & 1);
                return at;
            }
        }
        return -1;
    }

    int kind() {
        return kind;
    }

    /** Returns the chunk; meaningless for an {@link EntryKind#END}. */
    long cid() {
        return cid;
    }

    /** Returns the sequence number less that of the previous entry. */
    long delta() {
        return delta;
    }

    long payloadAt() {
        return payloadAt;
    }

    /** Returns the bytes of the payload. */
    int length() {
        return length;
    }

    /** Returns the offset of the check, which is the end of the payload. */
    long checkAt() {
        return checkAt;
    }
}
