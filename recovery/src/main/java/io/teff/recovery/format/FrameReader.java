package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;

/**
 * Reads the frames of one file of the primary log, from front to back. For one thread.
 *
 * <p>A frame is written only when the frame before is synced. So the first incomplete frame is normal if no frame
 * follows, and damage if a later frame does. Frames older than expected are remains of an earlier use of the file.
 *
 * <p><b>Cost.</b> Linear in the length of the file, for any content. Behind an incomplete frame each page may claim to
 * begin a long frame, so the search there ends after a fixed multiple of the searched bytes. No process leaves such a
 * file; it is damage.
 */
public final class FrameReader {
    /** Result of {@link #firstNumber} when the file does not begin with a frame. */
    public static final long NONE = -1;

    private static final int LENGTH_MAX = 1 << 30;
    /** The search for later frames takes checksums of at most this multiple of the searched bytes. */
    private static final int SEARCH_FACTOR = 8;

    /** Why a reader has stopped. */
    public enum End {
        /** No further frame was begun, or the file ends. */
        CLEAN,
        /** The next frame was begun and is incomplete, and no frame follows: the incomplete frame was never synced. */
        TORN,
        /** The next frame is incomplete although it was synced: later ones are present. */
        DAMAGED
    }

    private final FileWindow file;
    private final long salt;
    private long nextNumber;
    private long endOffset;
    private long laterNumber;
    private long lastPosition;

    /**
     * Reads a file.
     *
     * @param file its bytes, at most 2^31 - 1; possibly cut at any byte
     * @param salt of the log
     */
    public FrameReader(MemorySegment file, long salt) {
        this(new FileWindow(file), salt);
    }

    /**
     * Reads a file that need not be in memory as a whole.
     *
     * @param file at most 2^31 - 1 bytes; possibly cut at any byte
     * @param salt of the log
     */
    public FrameReader(FileWindow file, long salt) {
        this.file = file;
        this.salt = salt;
    }

    /** {@return the number of the frame that the file begins with, or {@link #NONE}} */
    public long firstNumber() {
        return numberAt(FileHead.BYTES);
    }

    /**
     * Returns the bytes of a file's first frame, according to the frame's head alone.
     *
     * @param head first bytes of the file: its first page, and the head of the frame; possibly fewer
     * @param salt of the log
     * @param least lower frame numbers are not of interest
     * @return bytes of the frame, 0 if there is none with such a number
     */
    public static long bytesOfFirst(MemorySegment head, long salt, long least) {
        if (head.byteSize() < FileHead.BYTES + FrameWriter.HEAD_BYTES) {
            return 0;
        }
        final long number = LittleEndian.getLong(head, FileHead.BYTES + FrameWriter.NUMBER_AT);
        final int length = LittleEndian.getInt(head, FileHead.BYTES + FrameWriter.LENGTH_AT);
        return number >= least && length >= 0 && length <= LENGTH_MAX
            && LittleEndian.getLong(head, FileHead.BYTES) == Stamp.of(number, salt) ? FrameWriter.bytes(length) : 0;
    }

    /**
     * Shows the records of all frames from the file's first one on, as long as their numbers are consecutive.
     *
     * @param first expected number of the file's first frame
     * @param from frames with lower numbers are checked, but not shown
     * @param visitor receives each frame as a whole
     * @return why the reader has stopped
     */
    public End read(long first, long from, EntryVisitor visitor) {
        nextNumber = first;
        endOffset = FileHead.BYTES;
        laterNumber = NONE;
        while (true) {
            final int length = wholeBytes(endOffset, nextNumber);
            if (length < 0) {
                return endAt(endOffset);
            }
            if (nextNumber >= from) {
                show(endOffset, length, visitor);
            }
            endOffset += FrameWriter.bytes(length);
            nextNumber++;
        }
    }

    /** {@return the number of the first missing frame} */
    public long nextNumber() {
        return nextNumber;
    }

    /** {@return the offset where it was expected} */
    public long endOffset() {
        return endOffset;
    }

    /** {@return the highest number of the complete frames behind that offset, or {@link #NONE}} */
    public long laterNumber() {
        return laterNumber;
    }

    /** {@return the highest first position of all complete frames, whether they count or not} */
    public long lastPosition() {
        return lastPosition;
    }

    private End endAt(long offset) {
        final long size = file.size();
        final long stop = file.summedBytes() + SEARCH_FACTOR * (size - offset);
        long at = offset + LittleEndian.PAGE_BYTES;
        while (at < size) {
            final long number = numberAt(at);
            laterNumber = Math.max(laterNumber, number);
            at += number == NONE ? LittleEndian.PAGE_BYTES : FrameWriter.bytes(file.getInt(at + FrameWriter.LENGTH_AT));
            if (file.summedBytes() > stop) {
                laterNumber = Math.max(laterNumber, nextNumber + 1);    // unknown; there is more than a process leaves
                return End.DAMAGED;
            }
        }
        if (laterNumber > nextNumber) {
            return End.DAMAGED;
        }
        final boolean begun = offset + Long.BYTES <= size
            && file.getLong(offset) == Stamp.of(nextNumber, salt);
        return begun ? End.TORN : End.CLEAN;
    }

    /** Returns the number of the frame at an offset if it is complete, or {@link #NONE}. */
    private long numberAt(long at) {
        if (at + FrameWriter.HEAD_BYTES > file.size()) {
            return NONE;
        }
        final long number = file.getLong(at + FrameWriter.NUMBER_AT);
        return number >= 0 && wholeBytes(at, number) >= 0 ? number : NONE;
    }

    /** Returns the bytes of the records of a frame if it is complete and has this number, or -1. */
    private int wholeBytes(long at, long number) {
        if (at + FrameWriter.HEAD_BYTES > file.size() || file.getLong(at) != Stamp.of(number, salt)
            || file.getLong(at + FrameWriter.NUMBER_AT) != number) {
            return -1;
        }
        final int length = file.getInt(at + FrameWriter.LENGTH_AT);
        final long begin = at + FrameWriter.HEAD_BYTES;
        if (length < 0 || length > file.size() - begin || file.getInt(at + FrameWriter.CRC_AT)
            != file.checksum(at + FrameWriter.LENGTH_AT, begin + length)) {
            return -1;
        }
        final long position = file.getLong(at + FrameWriter.POSITION_AT);
        if (!areRecords(begin, begin + length, position)) {
            return -1;
        }
        lastPosition = Math.max(lastPosition, position);
        return length;
    }

    /** Returns whether records of rising positions fill a frame to its end. */
    private boolean areRecords(long from, long end, long firstPosition) {
        long at = from;
        long free = firstPosition;
        while (at < end) {
            final int bytes = file.wholeRecord(at, end - at);
            final long position = bytes == 0 ? -1 : Stamp.number(file.getLong(at), salt);
            if (position < free || position % RingRecord.ALIGNMENT != 0) {
                return false;
            }
            final long padded = LittleEndian.aligned(bytes, RingRecord.ALIGNMENT);
            at += padded;
            free = position + padded;
        }
        return at == end;
    }

    private void show(long frame, int length, EntryVisitor visitor) {
        long at = frame + FrameWriter.HEAD_BYTES;
        final long end = at + length;
        while (at < end) {
            final int bytes = file.wholeRecord(at, end - at);
            file.show(at, bytes, Stamp.number(file.getLong(at), salt), visitor);
            at += LittleEndian.aligned(bytes, RingRecord.ALIGNMENT);
        }
    }
}
