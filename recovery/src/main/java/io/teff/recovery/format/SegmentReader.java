package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads segments from a buffer, in turn. For one thread.
 *
 * <p>A block is expected at the end of the previous one. If there is no block, reading resumes at the next multiple of
 * 4,096 with a block. In the part between, entries with correct checks are shown: the length and the first sequence
 * number in a damaged head are often correct, and each entry has a check. The length of a damaged entry leads to the
 * next entry, unless the length is damaged. If the check of the next entry fails, too, the rest of the block is lost,
 * because the sequence numbers are unknown.
 *
 * <p><b>Cost.</b> Linear in the length of the segment, for any content: each byte belongs to a single block or part
 * between blocks, and there to a single entry.
 *
 * <p>A false entry is shown if its 32-bit check happens to match. Garbage matches once in 2^32 tries. There is a try
 * per damaged entry, so only a few tries per damaged block.
 */
public final class SegmentReader {
    private final MemorySegment bytes;
    private final Checksum checksum;
    private final SegmentEntry entry = new SegmentEntry();
    private final List<Damage> gaps = new ArrayList<>();
    private SegmentId id = new SegmentId(0, 0, 0);
    private long salt;
    private long size;
    private long synced;
    private long provenEnd;
    private long entryCount;
    private long entryBytes;
    private boolean sealed;

    /**
     * Reads from a buffer.
     *
     * @param bytes hold a whole segment when {@link #read} is called; at most 2^31 - 1 bytes
     */
    public SegmentReader(MemorySegment bytes) {
        this.bytes = bytes;
        this.checksum = new Checksum(bytes);
    }

    /**
     * Shows all readable entries of a segment, in order.
     *
     * @param length of the segment, which begins at offset 0 of the buffer; possibly cut at any byte
     * @param head expected head
     * @param isSealed whether the segment is sealed according to the manifest
     * @param visitor receives each entry
     * @return the result
     */
    public SegmentReport read(long length, FileHead head, boolean isSealed, EntryVisitor visitor) {
        id = head.segmentId();
        salt = SegmentLayout.salt(id, head.salt());
        size = length;
        gaps.clear();
        synced = FileHead.BYTES;                                // otherwise the manifest would not name it
        provenEnd = FileHead.BYTES;
        entryCount = 0;
        entryBytes = 0;
        sealed = false;
        checkHead(head);
        final long end = readBlocks(visitor);
        if (isSealed && !sealed) {
            gaps.add(new Damage(end, Math.max(0, size - end), "the segment was sealed, and its end is missing"));
        }
        final long known = isSealed ? Long.MAX_VALUE : synced;
        return new SegmentReport(sealed, entryCount, entryBytes, end, provenEnd,
            gaps.stream().filter(gap -> gap.offset() < known).toList(),
            gaps.stream().filter(gap -> gap.offset() >= known).toList());
    }

    /** Returns the bytes of which checksums were taken so far. */
    long summedBytes() {
        return checksum.summedBytes();
    }

    private void checkHead(FileHead head) {
        final MemorySegment page = bytes.asSlice(0, Math.min(size, FileHead.BYTES));
        String problem = FileHead.problem(page, FileKind.SEGMENT, head.logId(), head.salt());
        if (problem == null && !FileHead.read(page, FileKind.SEGMENT).equals(head)) {
            problem = "it is segment " + FileHead.read(page, FileKind.SEGMENT).segmentId().fileName() + ", not "
                + id.fileName();
        }
        if (problem != null) {
            gaps.add(new Damage(0, FileHead.BYTES, problem));
        }
    }

    /** Reads all blocks. Returns the end of the last complete one. */
    private long readBlocks(EntryVisitor visitor) {
        long at = FileHead.BYTES;
        long end = at;
        while (at < size && !sealed) {
            if (isBlock(at)) {
                final int gapsBefore = gaps.size();
                at = readBlock(at, visitor);
                end = gaps.size() == gapsBefore ? at : end;
                provenEnd = Math.max(provenEnd, end);
            } else {
                final long next = nextBlock(at);
                if (next == size && LittleEndian.isZero(bytes, at, size)) {
                    return end;
                }
                readHeadless(at, next, visitor);
                at = next;
            }
        }
        return end;
    }

    private boolean isBlock(long at) {
        if (size - at < SegmentLayout.HEAD_BYTES || LittleEndian.getLong(bytes, at) != Stamp.of(at, salt)
            || LittleEndian.getInt(bytes, at + SegmentLayout.CRC_AT)
            != checksum.of(at + SegmentLayout.LENGTH_AT, at + SegmentLayout.HEAD_BYTES)) {
            return false;
        }
        return LittleEndian.getInt(bytes, at + SegmentLayout.LENGTH_AT) >= 0;
    }

    private long nextBlock(long at) {
        long next = at + LittleEndian.PAGE_BYTES;
        while (next < size && !isBlock(next)) {
            next += LittleEndian.PAGE_BYTES;
        }
        return Math.min(next, size);
    }

    /** Reads a block with a correct head. Returns the offset of the next one. */
    private long readBlock(long block, EntryVisitor visitor) {
        synced = Math.max(synced, Integer.toUnsignedLong(LittleEndian.getInt(bytes, block + SegmentLayout.SYNCED_AT)));
        provenEnd = block + SegmentLayout.HEAD_BYTES;
        final int count = LittleEndian.getInt(bytes, block + SegmentLayout.COUNT_AT);
        final long length = LittleEndian.getInt(bytes, block + SegmentLayout.LENGTH_AT);
        final long end = block + SegmentLayout.HEAD_BYTES + length;
        final long readable = Math.min(end, size);
        final long shownBefore = entryCount;
        long sequence = LittleEndian.getLong(bytes, block + SegmentLayout.SEQUENCE_AT);
        long at = block + SegmentLayout.HEAD_BYTES;
        long gap = -1;
        while (at < readable && entry.read(bytes, at, readable, id)) {
            sequence += entry.delta();
            final long next = entry.checkAt() + SegmentLayout.CHECK_BYTES;
            if (isRight(at, sequence, block)) {
                if (gap >= 0) {
                    gaps.add(new Damage(gap, at - gap, "entries with wrong checksums"));
                    gap = -1;
                }
                show(at, sequence, visitor);
            } else if (gap < 0) {
                gap = at;
            }
            at = next;
        }
        if (gap >= 0 || at < end) {
            final long from = gap >= 0 ? gap : at;
            final long shown = entryCount - shownBefore;
            gaps.add(new Damage(from, end - from, "the block has " + count + " entries, of which " + shown
                + " can be read"));
        }
        return LittleEndian.aligned(end, LittleEndian.PAGE_BYTES);
    }

    /**
     * Shows the entries with correct checks of a part without a correct head; the damage ends before the given offset.
     */
    private void readHeadless(long block, long end, EntryVisitor visitor) {
        long at = block;
        if (end - block >= SegmentLayout.HEAD_BYTES) {
            long sequence = LittleEndian.getLong(bytes, block + SegmentLayout.SEQUENCE_AT);
            at += SegmentLayout.HEAD_BYTES;
            while (!sealed && entry.read(bytes, at, end, id) && isRight(at, sequence + entry.delta(), block)) {
                sequence += entry.delta();
                final long next = entry.checkAt() + SegmentLayout.CHECK_BYTES;
                show(at, sequence, visitor);
                at = next;
            }
        }
        gaps.add(new Damage(block, end - block, "the head of a block is wrong; it is read up to offset " + at));
    }

    private boolean isRight(long at, long sequence, long block) {
        final long checkAt = entry.checkAt();
        return LittleEndian.getInt(bytes, checkAt)
            == SegmentLayout.check(checksum.of(at, checkAt), sequence, Stamp.of(block, salt)) && isPossible();
    }

    private boolean isPossible() {
        final int kind = entry.kind();
        final int length = entry.length();
        return kind == EntryKind.END ? length == SegmentLayout.END_BYTES : EntryKind.fits(kind, length)
            && EntryKind.isPossible(kind, bytes, entry.payloadAt(), length);
    }

    private void show(long at, long sequence, EntryVisitor visitor) {
        provenEnd = entry.checkAt() + SegmentLayout.CHECK_BYTES;
        if (entry.kind() == EntryKind.END) {
            checkEnd(at);
            return;
        }
        entryCount++;
        entryBytes += entry.checkAt() + SegmentLayout.CHECK_BYTES - at;
        visitor.entry(entry.cid(), sequence, id.owner(), id.zone(), entry.kind(), bytes, entry.payloadAt(),
            entry.length());
    }

    private void checkEnd(long at) {
        sealed = true;
        final long count = LittleEndian.getLong(bytes, entry.payloadAt());
        final long total = LittleEndian.getLong(bytes, entry.payloadAt() + SegmentLayout.END_TOTAL_AT);
        if (gaps.isEmpty() && (count != entryCount || total != entryBytes)) {
            gaps.add(new Damage(at, 0, "the segment was sealed with " + count + " entries, and has " + entryCount));
        }
    }
}
