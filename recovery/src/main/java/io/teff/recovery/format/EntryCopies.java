package io.teff.recovery.format;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of entries in memory, all of one zone. One thread adds; afterwards any number may read.
 * <pre>
 *  0        8          16     20       24
 *  +--------+----------+------+--------+-----------------+
 *  | CID    | sequence | kind | length | payload         |  the next one follows at once
 *  +--------+----------+------+--------+-----------------+
 * </pre>
 * Blocks of memory hold several entries each: the first one is small, so that many zones cost little, and each next
 * one is larger.
 */
public final class EntryCopies implements EntryVisitor {
    private static final int SEQUENCE_AT = 8;
    private static final int KIND_AT = 16;
    private static final int LENGTH_AT = 20;
    private static final int HEAD_BYTES = 24;
    private static final int BLOCK_MIN = LittleEndian.PAGE_BYTES;
    private static final int BLOCK_MAX = 1 << 20;

    /** A block, and its bytes in use. */
    private record Block(MemorySegment memory, long end) {}

    private final ZoneId zone;
    private final List<Block> full = new ArrayList<>();
    private MemorySegment memory = MemorySegment.NULL;
    private long end;
    private long count;
    private long payloadBytes;

    /**
     * Begins without entries.
     *
     * @param zone zone of the entries
     */
    public EntryCopies(ZoneId zone) {
        this.zone = zone;
    }

    /** Adds a copy of an entry of the zone. */
    @Override
    public void entry(long cid, long sequence, int owner, int inZone, int kind, MemorySegment bytes, long offset,
                      int length) {
        assert owner == zone.owner() && inZone == zone.zone() : owner + ":" + inZone;
        final long next = end + HEAD_BYTES + length;
        if (next > memory.byteSize()) {
            full.add(new Block(memory, end));
            memory = Arena.ofAuto().allocate(Math.max(HEAD_BYTES + length, Math.clamp(2 * memory.byteSize(), BLOCK_MIN,
                BLOCK_MAX)), Long.BYTES);
            end = 0;
        }
        LittleEndian.putLong(memory, end, cid);
        LittleEndian.putLong(memory, end + SEQUENCE_AT, sequence);
        LittleEndian.putInt(memory, end + KIND_AT, kind);
        LittleEndian.putInt(memory, end + LENGTH_AT, length);
        MemorySegment.copy(bytes, offset, memory, end + HEAD_BYTES, length);
        end += HEAD_BYTES + length;
        count++;
        payloadBytes += length;
    }

    /**
     * Shows all entries in the order in which they were added.
     *
     * @param visitor receives each entry
     */
    public void show(EntryVisitor visitor) {
        full.forEach(block -> show(block.memory, block.end, visitor));
        show(memory, end, visitor);
    }

    private void show(MemorySegment block, long blockEnd, EntryVisitor visitor) {
        for (long at = 0; at < blockEnd;) {
            final int length = LittleEndian.getInt(block, at + LENGTH_AT);
            visitor.entry(LittleEndian.getLong(block, at), LittleEndian.getLong(block, at + SEQUENCE_AT),
                zone.owner(), zone.zone(),
                LittleEndian.getInt(block, at + KIND_AT), block, at + HEAD_BYTES, length);
            at += HEAD_BYTES + length;
        }
    }

    /** {@return the number of entries} */
    public long count() {
        return count;
    }

    /** {@return the bytes of their payloads} */
    public long payloadBytes() {
        return payloadBytes;
    }
}
