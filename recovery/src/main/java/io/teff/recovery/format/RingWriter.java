package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * Writes records to the ring, at positions that the caller has claimed. For one thread; each has its own.
 *
 * <p>A record is {@link #begin}, one {@link #entry} after the other with the payload copied behind each, and
 * {@link #commit}. Until then the ring's reader does not see it, for its stamp is missing: that of this position was
 * never there before. The stamp's store is a release, so whoever sees it sees the record; a killed process, whose
 * memory is the kernel's now, has done all stores before it.
 */
public final class RingWriter {
    private final MemorySegment file;
    private final Checksum checksum;
    private final long salt;
    private final long capacity;
    private long position;
    private long begin;
    private long end;

    /**
     * Makes a writer for one thread.
     *
     * @param file mapped; of an arena that costs nothing to use, see {@link Checksum}
     * @param salt the log's
     * @param capacity of the ring
     */
    public RingWriter(MemorySegment file, long salt, long capacity) {
        this.file = file;
        this.checksum = new Checksum(file);
        this.salt = salt;
        this.capacity = capacity;
    }

    /**
     * Fills the room in front of the ring's end.
     *
     * @param from a position at which a record could begin
     */
    public void fill(long from) {
        if (RingRecord.room(from, capacity) >= RingRecord.HEAD_BYTES) {
            begin(from);
            commit(false);
        }
    }

    /**
     * Begins a record.
     *
     * @param at its position, with room for all of it in front of the ring's end
     */
    public void begin(long at) {
        assert at % RingRecord.ALIGNMENT == 0 : at;
        position = at;
        begin = RingRecord.offset(at, capacity);
        end = begin + RingRecord.HEAD_BYTES;
    }

    /**
     * Writes what stands in front of an entry's payload.
     *
     * @param cid of the chunk
     * @param sequence number of the change
     * @param owner NID of the store whose chunk this is, 0 to 65,535
     * @param zone of the owner
     * @param kind {@link EntryKind#PUT} to {@link EntryKind#LINK_READ_ONLY}
     * @param length of the payload in bytes
     * @return where in the file the payload belongs
     */
    public long entry(long cid, long sequence, int owner, int zone, int kind, int length) {
        assert EntryKind.fits(kind, length) : kind + " " + length;
        assert owner >>> Short.SIZE == 0 : owner;
        final long at = end;
        Bytes.putLong(file, at, cid);
        Bytes.putLong(file, at + RingRecord.SEQUENCE_AT, sequence);
        Bytes.putShort(file, at + RingRecord.OWNER_AT, owner);
        Bytes.putShort(file, at + RingRecord.KIND_AT, kind);
        Bytes.putInt(file, at + RingRecord.ZONE_AT, zone);
        Bytes.putInt(file, at + RingRecord.PAYLOAD_LENGTH_AT, length);
        end = at + RingRecord.ENTRY_BYTES + length;
        return at + RingRecord.ENTRY_BYTES;
    }

    /**
     * Ends the record: from now on it is there.
     *
     * @param group whether its entries are one group
     */
    public void commit(boolean group) {
        final long length = end - begin;
        assert length <= RingRecord.room(position, capacity) : position + " " + length;
        Bytes.putInt(file, begin + RingRecord.LENGTH_AT, (int) length | (group ? RingRecord.GROUP : 0));
        Bytes.putInt(file, begin + RingRecord.CRC_AT, checksum.of(begin + RingRecord.LENGTH_AT, end));
        Bytes.putLongRelease(file, begin, Stamp.of(position, salt));
    }
}
