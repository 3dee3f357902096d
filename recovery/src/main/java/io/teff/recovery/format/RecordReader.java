package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/** Checks and shows records of the ring or of a frame. For one thread. */
final class RecordReader {
    private final MemorySegment bytes;
    private final Checksum checksum;

    RecordReader(MemorySegment bytes, Checksum checksum) {
        this.bytes = bytes;
        this.checksum = checksum;
    }

    /**
     * Returns the length of a complete record, or 0 if it is not complete.
     *
     * @param at offset of the record
     * @param room limit of its bytes
     */
    int wholeBytes(long at, long room) {
        if (room < RingRecord.HEAD_BYTES) {
            return 0;
        }
        final int word = LittleEndian.getInt(bytes, at + RingRecord.LENGTH_AT);
        final int length = word & RingRecord.LENGTH_MASK;
        if (length < RingRecord.HEAD_BYTES || length > room) {
            return 0;
        }
        final int checked = RingRecord.checkedBytes(word);
        final boolean right = LittleEndian.getInt(bytes, at + RingRecord.CRC_AT)
            == checksum.of(at + RingRecord.LENGTH_AT, at + checked);
        return right && areEntries(at + RingRecord.HEAD_BYTES, at + checked) ? length : 0;
    }

    /** Returns whether valid entries fill a record to its end. */
    private boolean areEntries(long from, long end) {
        long at = from;
        while (at < end) {
            if (end - at < RingRecord.ENTRY_BYTES) {
                return false;
            }
            final int length = LittleEndian.getInt(bytes, at + RingRecord.PAYLOAD_LENGTH_AT);
            final int kind = LittleEndian.getShort(bytes, at + RingRecord.KIND_AT);
            final long payload = at + RingRecord.ENTRY_BYTES;
            if (!EntryKind.fits(kind, length) || length > end - payload
                || !EntryKind.isPossible(kind, bytes, payload, length)) {
                return false;
            }
            at = payload + length;
        }
        return true;
    }

    /** Shows a complete record, unless it has no entries. */
    void show(long at, int recordBytes, long position, EntryVisitor visitor) {
        final int word = LittleEndian.getInt(bytes, at + RingRecord.LENGTH_AT);
        if (!RingRecord.hasEntries(word)) {
            return;
        }
        visitor.record(position, (word & RingRecord.GROUP) != 0);
        final long end = at + recordBytes;
        long entry = at + RingRecord.HEAD_BYTES;
        while (entry < end) {
            final int length = LittleEndian.getInt(bytes, entry + RingRecord.PAYLOAD_LENGTH_AT);
            visitor.entry(LittleEndian.getLong(bytes, entry),
                LittleEndian.getLong(bytes, entry + RingRecord.SEQUENCE_AT),
                LittleEndian.getShort(bytes, entry + RingRecord.OWNER_AT),
                LittleEndian.getInt(bytes, entry + RingRecord.ZONE_AT),
                LittleEndian.getShort(bytes, entry + RingRecord.KIND_AT),
                bytes, entry + RingRecord.ENTRY_BYTES, length);
            entry += RingRecord.ENTRY_BYTES + length;
        }
    }
}
