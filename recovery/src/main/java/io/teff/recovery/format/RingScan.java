package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * Follows a ring during writes, up to the first record that is not committed. For one thread.
 *
 * <p>All records were written by this process, so a correct stamp suffices; it is read before anything else of the
 * record.
 */
public final class RingScan {
    private final MemorySegment file;
    private final RecordReader records;
    private final long salt;
    private final long capacity;

    /**
     * Follows a ring.
     *
     * @param file mapped memory
     * @param salt of the log
     * @param capacity of the ring
     */
    public RingScan(MemorySegment file, long salt, long capacity) {
        this.file = file;
        this.records = new RecordReader(file, new Checksum(file));
        this.salt = salt;
        this.capacity = capacity;
    }

    /**
     * Returns the bytes from a position to the next record.
     *
     * @param position of a record, or of the skipped bytes before the ring's end
     * @return bytes to the next such position, or 0 if the record is not committed
     */
    public long bytes(long position) {
        final long room = RingRecord.room(position, capacity);
        if (room < RingRecord.HEAD_BYTES) {
            return room;
        }
        final long at = RingRecord.offset(position, capacity);
        return LittleEndian.getLongAcquire(file, at) == Stamp.of(position, salt)
            ? RingRecord.roomOf(LittleEndian.getInt(file, at + RingRecord.LENGTH_AT), position, capacity) : 0;
    }

    /**
     * Returns whether a record has entries.
     *
     * @param position for which {@link #bytes} has returned more than 0
     * @return whether there is a record with entries
     */
    public boolean hasEntries(long position) {
        return RingRecord.room(position, capacity) >= RingRecord.HEAD_BYTES && RingRecord.hasEntries(word(position));
    }

    private int word(long position) {
        return LittleEndian.getInt(file, RingRecord.offset(position, capacity) + RingRecord.LENGTH_AT);
    }

    /**
     * Shows a record.
     *
     * @param position of a record that has entries
     * @param visitor receives the record as a whole
     */
    public void show(long position, EntryVisitor visitor) {
        records.show(RingRecord.offset(position, capacity), word(position) & RingRecord.LENGTH_MASK, position,
            visitor);
    }

    /**
     * Copies a record to a frame.
     *
     * @param position of a record that has entries
     * @param frame the buffer
     * @param at offset of the record there, from {@link FrameWriter#HEAD_BYTES} on
     * @return offset of the next record there
     */
    public int copy(long position, MemorySegment frame, int at) {
        final long bytes = LittleEndian.aligned(word(position) & RingRecord.LENGTH_MASK, RingRecord.ALIGNMENT);
        MemorySegment.copy(file, RingRecord.offset(position, capacity), frame, at, bytes);
        return at + (int) bytes;
    }
}
