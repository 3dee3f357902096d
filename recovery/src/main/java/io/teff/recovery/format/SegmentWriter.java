package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Assembles the blocks of segments in a buffer, segment by segment; the caller writes the blocks. For one thread.
 *
 * <p>{@link #open} returns the head. Then entries are added until the buffer is full or old enough, {@link #block}
 * returns the bytes to write at {@link #offset}, and so on; {@link #seal} returns the last block. Each result is valid
 * until the next call. Between blocks the buffer can be exchanged.
 */
public final class SegmentWriter {
    /** Bytes of an entry besides its payload, approximately. */
    public static final int ENTRY_BYTES = 12;

    private final long segmentBytes;
    private BlockBuffer block = BlockBuffer.NONE;
    private ByteBuffer buffer = block.bytes;
    private MemorySegment target = block.memory;
    private Checksum checksum = block.checksum;
    private SegmentId id = new SegmentId(0, 0, 0);
    private long salt;
    private long writeAt;
    private long blockAt;
    private long stamp;
    private int end = SegmentLayout.HEAD_BYTES;
    private int blockCount;
    private long firstSequence;
    private long lastSequence;
    private long entryCount;
    private long entryBytes;

    /**
     * Makes segments of one size.
     *
     * @param segmentBytes limit of the bytes of a segment, a multiple of 4,096, at least three times that
     */
    public SegmentWriter(int segmentBytes) {
        assert segmentBytes % LittleEndian.PAGE_BYTES == 0 && segmentBytes > 2 * LittleEndian.PAGE_BYTES : segmentBytes;
        this.segmentBytes = segmentBytes;
    }

    /**
     * Gives the writer a buffer. Without a buffer, the writer can only return its state.
     *
     * @param next limits the length of a block
     */
    public void attach(BlockBuffer next) {
        assert isEmpty() : blockCount;
        block = next;
        buffer = next.bytes;
        target = next.memory;
        checksum = next.checksum;
    }

    /**
     * Takes the buffer away for use by others; all entries must have been written.
     *
     * @return the buffer
     */
    public BlockBuffer detach() {
        final BlockBuffer before = block;
        attach(BlockBuffer.NONE);
        return before;
    }

    /**
     * Takes the buffer away with the entries that are not written: their zone is gone.
     *
     * @return the buffer
     */
    public BlockBuffer abandon() {
        beginBlock(blockAt);
        return detach();
    }

    /**
     * Exchanges the buffer for a longer buffer, with the entries that are not written yet. Blocks returned before must
     * have been written.
     *
     * @param longer the longer buffer
     * @return the buffer of before
     */
    public BlockBuffer exchange(BlockBuffer longer) {
        assert longer.capacity() >= block.capacity() : longer.capacity();
        final BlockBuffer before = block;
        if (!isEmpty()) {
            MemorySegment.copy(target, 0, longer.memory, 0, end);
        }
        block = longer;
        buffer = longer.bytes;
        target = longer.memory;
        checksum = longer.checksum;
        return before;
    }

    /**
     * Returns whether a longer buffer would leave more room in the block.
     *
     * @param length of the payload of the next entry
     * @return whether the entry does not fit because of the buffer, and would fit into the segment
     */
    public boolean wantsMore(int length) {
        final long needed = end + (long) entryBytesMax(length);
        return needed > buffer.capacity() && needed <= segmentBytes - LittleEndian.PAGE_BYTES - blockAt;
    }

    /** {@return bytes of its buffer, 0 if it has none} */
    public int bufferCapacity() {
        return block.capacity();
    }

    /**
     * Returns the size of the largest buffer for an entry, including the head of a block.
     *
     * @param length of its payload
     * @return bytes, a multiple of 4,096
     */
    public static int bufferBytes(int length) {
        return (int) LittleEndian.aligned(SegmentLayout.HEAD_BYTES + entryBytesMax(length), LittleEndian.PAGE_BYTES);
    }

    private static int entryBytesMax(int length) {
        return SegmentEntry.HEAD_BYTES_MAX + Long.BYTES + length + SegmentLayout.CHECK_BYTES;
    }

    /**
     * Begins a segment; all entries of the previous one must have been written.
     *
     * @param logId of the log
     * @param logSalt of the log
     * @param segment its name
     * @return the bytes to write at the begin of the segment
     */
    public ByteBuffer open(long logId, long logSalt, SegmentId segment) {
        assert isEmpty() : blockCount;
        id = segment;
        salt = SegmentLayout.salt(segment, logSalt);
        entryCount = 0;
        entryBytes = 0;
        FileHead.segment(logId, logSalt, segment).write(target);
        writeAt = 0;
        beginBlock(FileHead.BYTES);
        return buffer.clear().limit(FileHead.BYTES);
    }

    /**
     * Adds an entry to the block.
     *
     * @param cid of the chunk
     * @param sequence number of the change
     * @param kind {@link EntryKind#PUT} to {@link EntryKind#LINK_READ_ONLY}, or {@link EntryKind#BYTES}
     * @param source holds the payload
     * @param from offset of the payload there
     * @param length of the payload in bytes, less than 2^24 - 8
     * @return false if there is no room: end the block or, if it is empty, the segment
     */
    public boolean add(long cid, long sequence, int kind, MemorySegment source, long from, int length) {
        assert EntryKind.fits(kind, length) : kind + " " + length;
        if (entryBytesMax(length) > room()) {
            return false;
        }
        final long index = SegmentEntry.indexOf(cid, id.owner(), id.zone());
        if (index == SegmentEntry.FOREIGN) {
            final long at = beginEntry(kind, index, 0, length + Long.BYTES, sequence);
            LittleEndian.putLong(target, at, cid);
            endEntry(source, from, at + Long.BYTES, length);
        } else {
            endEntry(source, from, beginEntry(kind, index, Cid.generation(cid), length, sequence), length);
        }
        return true;
    }

    private int room() {
        final long segmentRoom = segmentBytes - LittleEndian.PAGE_BYTES - blockAt;
        return (int) Math.min(buffer.capacity(), segmentRoom) - end;
    }

    /** {@return whether the block has no entries yet} */
    public boolean isEmpty() {
        return blockCount == 0;
    }

    /** {@return bytes of the entries not yet written} */
    public int blockBytes() {
        return end - SegmentLayout.HEAD_BYTES;
    }

    /** {@return offset in the segment of the bytes returned last} */
    public long offset() {
        return writeAt;
    }

    /** {@return bytes of the segment, without the current block} */
    public long bytes() {
        return blockAt;
    }

    /** {@return entries of the segment, including those of the current block} */
    public long entryCount() {
        return entryCount + blockCount;
    }

    /**
     * Ends the block.
     *
     * @param synced number of the segment's first bytes that are synced
     * @return the bytes to write at {@link #offset}: a multiple of 4,096
     */
    public ByteBuffer block(long synced) {
        assert !isEmpty() : id;
        entryCount += blockCount;
        entryBytes += blockBytes();
        return finish(synced);
    }

    /**
     * Makes the block that ends the segment. All entries must have been written and the segment synced.
     *
     * @return the bytes to write at {@link #offset}
     */
    public ByteBuffer seal() {
        assert isEmpty() : blockCount;
        final long at = beginEntry(EntryKind.END, 0, 0, SegmentLayout.END_BYTES, lastSequence);
        LittleEndian.putLong(target, at, entryCount);
        LittleEndian.putLong(target, at + SegmentLayout.END_TOTAL_AT, entryBytes);
        endEntry(target, at, at, SegmentLayout.END_BYTES);
        return finish(blockAt);
    }

    private void beginBlock(long at) {
        blockAt = at;
        stamp = Stamp.of(at, salt);
        end = SegmentLayout.HEAD_BYTES;
        blockCount = 0;
    }

    private long beginEntry(int kind, long index, int generation, int length, long sequence) {
        if (blockCount == 0) {
            firstSequence = sequence;
            lastSequence = sequence;
        }
        final long at = SegmentEntry.write(target, end, kind, index, generation, length, sequence - lastSequence);
        lastSequence = sequence;
        return at;
    }

    private void endEntry(MemorySegment source, long from, long at, int length) {
        MemorySegment.copy(source, from, target, at, length);
        final long checkAt = at + length;
        LittleEndian.putInt(target, checkAt, SegmentLayout.check(checksum.of(end, checkAt), lastSequence, stamp));
        end = (int) checkAt + SegmentLayout.CHECK_BYTES;
        blockCount++;
    }

    private ByteBuffer finish(long synced) {
        final long written = LittleEndian.aligned(end, LittleEndian.PAGE_BYTES);
        LittleEndian.putLong(target, 0, stamp);
        LittleEndian.putInt(target, SegmentLayout.LENGTH_AT, blockBytes());
        LittleEndian.putLong(target, SegmentLayout.SEQUENCE_AT, firstSequence);
        LittleEndian.putInt(target, SegmentLayout.SYNCED_AT, (int) synced);
        LittleEndian.putInt(target, SegmentLayout.COUNT_AT, blockCount);
        LittleEndian.putInt(target, SegmentLayout.CRC_AT,
            checksum.of(SegmentLayout.LENGTH_AT, SegmentLayout.HEAD_BYTES));
        target.asSlice(end, written - end).fill((byte) 0);
        writeAt = blockAt;
        beginBlock(blockAt + written);
        return buffer.clear().limit((int) written);
    }
}
