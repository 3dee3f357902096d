package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * A copy of consecutive records of a ring that is being written: the records at the time of the copy. For one thread.
 *
 * <p>Another thread may overwrite the records meanwhile. So after the copying the owner of the ring is asked whether it
 * has issued this room again; only then the copy is looked at.
 */
public final class RingPiece {
    private final MemorySegment bytes;
    private final RecordReader records;
    private final long salt;
    private final long position;

    /**
     * Copies records.
     *
     * @param ring memory of the ring's file
     * @param salt of the log
     * @param capacity of the ring
     * @param position of the first record
     * @param end behind the last record, in the same lap
     */
    public RingPiece(MemorySegment ring, long salt, long capacity, long position, long end) {
        this.bytes = MemorySegment.ofBuffer(ByteBuffer.allocateDirect((int) (end - position)));
        this.records = new RecordReader(bytes, new Checksum(bytes));
        this.salt = salt;
        this.position = position;
        MemorySegment.copy(ring, RingRecord.offset(position, capacity), bytes, 0, end - position);
        VarHandle.acquireFence();                               // what is asked next is later than the copy
    }

    /**
     * Shows the records. Abandoned room has no records.
     *
     * @param visitor receives each record as a whole
     * @return false if a record is not complete; then nothing behind it is shown
     */
    public boolean show(EntryVisitor visitor) {
        final long size = bytes.byteSize();
        long at = 0;
        while (at < size) {
            final int length = LittleEndian.getLong(bytes, at) == Stamp.of(position + at, salt)
                ? records.wholeBytes(at, size - at) : 0;
            if (length == 0) {
                return false;
            }
            records.show(at, length, position + at, visitor);
            at += LittleEndian.aligned(length, RingRecord.ALIGNMENT);
        }
        return true;
    }
}
