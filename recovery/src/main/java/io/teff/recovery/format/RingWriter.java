package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Writes records to the ring, at positions that the callers have claimed. Thread-safe.
 *
 * <p>A record is written by {@link #begin}, calls of {@link #entry} with the payload copied behind each entry, and
 * {@link #commit}. Before the commit the ring's reader does not see the record, because the stamp of this position is
 * missing and was never there before. The store of the stamp is a release, so a reader that sees the stamp sees the
 * record. The memory of a killed process belongs to the kernel, with all stores made before the kill.
 *
 * <p><b>No state per thread.</b> All state of an uncommitted record is in its room, its length included. Only checksums
 * need an object, and only within a call. Checksum objects are taken from a few slots, and threads are spread over the
 * slots. A new object is allocated later only in place of a lost object: the stack of the user ended in the middle of a
 * call. So there may be any number of threads, however short-lived, and no thread keeps the ring's memory from being
 * unmapped.
 */
public final class RingWriter {
    private static final int PLACES = 16;
    /** A slot is taken to be lost when all were empty in this number of rounds. */
    private static final int ROUNDS_MAX = 1000;
    /** References from one slot to the next, so that no two slots share a cache line. */
    private static final int STRIDE = 32;

    private final MemorySegment file;
    private final long salt;
    private final long capacity;
    private final AtomicReferenceArray<Checksum> checksums = new AtomicReferenceArray<>(PLACES * STRIDE);

    /**
     * Makes the writer of a ring.
     *
     * @param file mapped memory of an arena without access costs, see {@link Checksum}
     * @param salt of the log
     * @param capacity of the ring
     */
    public RingWriter(MemorySegment file, long salt, long capacity) {
        this.file = file;
        this.salt = salt;
        this.capacity = capacity;
        for (int place = 0; place < PLACES; place++) {
            checksums.setPlain(place * STRIDE, new Checksum(file));
        }
    }

    /**
     * Fills the room in front of the ring's end.
     *
     * @param from a position where a record could begin
     */
    public void fill(long from) {
        if (RingRecord.room(from, capacity) >= RingRecord.HEAD_BYTES) {
            begin(from, 0);
            commit(from, false);
        }
    }

    /**
     * Begins a record.
     *
     * @param position of the record, with room for all its bytes before the ring's end
     * @param entriesBytes all entries of the record with their heads
     * @return offset of its first entry in the file
     */
    public long begin(long position, long entriesBytes) {
        assert position % RingRecord.ALIGNMENT == 0 : position;
        assert RingRecord.HEAD_BYTES + entriesBytes <= RingRecord.room(position, capacity) : entriesBytes;
        final long at = RingRecord.offset(position, capacity);
        LittleEndian.putInt(file, at + RingRecord.LENGTH_AT, (int) (RingRecord.HEAD_BYTES + entriesBytes));
        return at + RingRecord.HEAD_BYTES;
    }

    /**
     * Writes the head of an entry.
     *
     * @param at offset of the entry in the file: the result of {@link #begin}, then the end of the payload before
     * @param cid of the chunk
     * @param sequence number of the change
     * @param owner NID of the store that owns the chunk, 0 to 65,535
     * @param zone of the owner
     * @param kind {@link EntryKind#PUT} to {@link EntryKind#LINK_READ_ONLY}, or {@link EntryKind#BYTES}
     * @param length of the payload in bytes
     * @return offset of the payload in the file
     */
    public long entry(long at, long cid, long sequence, int owner, int zone, int kind, int length) {
        assert EntryKind.fits(kind, length) : kind + " " + length;
        assert owner >>> Short.SIZE == 0 : owner;
        LittleEndian.putLong(file, at, cid);
        LittleEndian.putLong(file, at + RingRecord.SEQUENCE_AT, sequence);
        LittleEndian.putShort(file, at + RingRecord.OWNER_AT, owner);
        LittleEndian.putShort(file, at + RingRecord.KIND_AT, kind);
        LittleEndian.putInt(file, at + RingRecord.ZONE_AT, zone);
        LittleEndian.putInt(file, at + RingRecord.PAYLOAD_LENGTH_AT, length);
        return at + RingRecord.ENTRY_BYTES;
    }

    /**
     * Commits a record whose entries are all written: from now on it is visible.
     *
     * @param position of the record
     * @param group whether the entries of the record form a group
     */
    public void commit(long position, boolean group) {
        finish(position, group ? RingRecord.GROUP : 0);
    }

    /**
     * Abandons a record, even if parts of it are written.
     *
     * @param position of the record, with room for at least one entry
     */
    public void abandon(long position) {
        finish(position, RingRecord.ABANDONED);
    }

    private void finish(long position, int bits) {
        final long begin = RingRecord.offset(position, capacity);
        final int word = LittleEndian.getInt(file, begin + RingRecord.LENGTH_AT) & RingRecord.LENGTH_MASK | bits;
        LittleEndian.putInt(file, begin + RingRecord.LENGTH_AT, word);
        LittleEndian.putInt(file, begin + RingRecord.CRC_AT,
            checksum(begin + RingRecord.LENGTH_AT, begin + RingRecord.checkedBytes(word)));
        LittleEndian.putLongRelease(file, begin, Stamp.of(position, salt));
    }

    private int checksum(long from, long end) {
        int place = (int) Thread.currentThread().threadId() & PLACES - 1;
        Checksum checksum = checksums.getAndSet(place * STRIDE, null);
        for (int round = 0; checksum == null;) {                // a thread uses the object at the moment
            place = place + 1 & PLACES - 1;
            if (place == 0) {
                Thread.yield();
                round++;
            }
            checksum = round < ROUNDS_MAX ? checksums.getAndSet(place * STRIDE, null) : new Checksum(file);
        }
        final int value = checksum.of(from, end);
        checksums.lazySet(place * STRIDE, checksum);
        return value;
    }
}
