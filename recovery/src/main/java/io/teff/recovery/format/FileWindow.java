package io.teff.recovery.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file of which a part is in memory, so that a reader needs no more memory than the longest record, however long the
 * file is. For one thread.
 *
 * <pre>
 *  file    |.......................[#########################]..........................|
 *          0                       begin                     end                     size
 * </pre>
 * The part moves to where the reader is, and grows where a record does not fit. A reader that goes forward reads each
 * byte about once. A failure of the device arrives as an {@link UncheckedIOException}.
 */
public final class FileWindow {
    /** Bytes of the part unless a record is longer. */
    private static final int BYTES = 1 << 20;
    private static final MemorySegment NOTHING = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(0));

    /** Reads bytes of a file. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reads until the buffer is full or the file ends.
         *
         * @param target receives the bytes
         * @param offset in the file of the first byte
         * @return bytes read
         * @throws IOException if the device failed
         */
        int read(ByteBuffer target, long offset) throws IOException;
    }

    private final @Nullable Source source;
    private final long size;
    private @Nullable ByteBuffer buffer;
    private MemorySegment memory;
    private Checksum checksum;
    private RecordReader records;
    private long begin;
    private long end;
    /** Number of bytes in sums, without the sums of {@link #checksum}. */
    private long summedBefore;

    /**
     * Opens a window on a file.
     *
     * @param source of its bytes
     * @param size of the file in bytes
     */
    public FileWindow(Source source, long size) {
        this(source, size, ByteBuffer.allocateDirect((int) Math.min(BYTES, LittleEndian.aligned(Math.max(size, 1),
            LittleEndian.PAGE_BYTES))));
    }

    private FileWindow(Source source, long size, ByteBuffer buffer) {
        this.source = source;
        this.size = size;
        this.buffer = buffer;
        this.memory = MemorySegment.ofBuffer(buffer);
        this.checksum = new Checksum(memory);
        this.records = new RecordReader(memory, checksum);
    }

    /**
     * Opens a window on a file that is in memory as a whole.
     *
     * @param file its bytes
     */
    FileWindow(MemorySegment file) {
        this.source = null;
        this.size = file.byteSize();
        this.end = size;
        this.memory = file;
        this.checksum = new Checksum(file);
        this.records = new RecordReader(file, checksum);
    }

    /** {@return bytes of the file} */
    public long size() {
        return size;
    }

    /**
     * Returns a copy of the first page.
     *
     * @return its bytes; fewer if the file is shorter
     */
    public MemorySegment firstPage() {
        final int bytes = (int) Math.min(size, FileHead.BYTES);
        final long at = load(0, bytes);
        return MemorySegment.ofArray(memory.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    // ---- the part in memory ----

    /** Moves the window over some bytes of the file. Returns the offset of the first one in memory. */
    private long load(long at, long bytes) {
        if (at < begin || at + bytes > end) {
            loadSlow(at, bytes);
        }
        return at - begin;
    }

    private void use(@Nullable ByteBuffer bytes, MemorySegment segment) {
        buffer = bytes;
        memory = segment;
        checksum = new Checksum(segment);
        records = new RecordReader(segment, checksum);
    }

    private void loadSlow(long at, long bytes) {
        assert at >= 0 && at + bytes <= size : at + " " + bytes + " " + size;
        final long first = at - at % LittleEndian.PAGE_BYTES;
        final long needed = at + bytes - first;
        if (buffer == null || needed > buffer.capacity()) {
            end = begin;
            summedBefore += checksum.summedBytes();
            use(null, NOTHING);                                 // or there would have to be memory for both
            final ByteBuffer larger = ByteBuffer.allocateDirect((int) LittleEndian.aligned(needed,
                LittleEndian.PAGE_BYTES));
            use(larger, MemorySegment.ofBuffer(larger));
        }
        final ByteBuffer into = Objects.requireNonNull(buffer);
        into.clear().limit((int) Math.min(into.capacity(), size - first));
        begin = first;
        end = first;
        try {
            final int read = Objects.requireNonNull(source).read(into, first);
            if (read < needed) {
                throw new IOException("the file has ended at " + (first + read) + " of " + size + " bytes");
            }
            end = first + read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long getLong(long at) {
        final long offset = load(at, Long.BYTES);
        return LittleEndian.getLong(memory, offset);
    }

    /** Reads a number at a multiple of 8. If the file is mapped, another thread may write the number meanwhile. */
    long getLongAcquire(long at) {
        final long offset = load(at, Long.BYTES);
        return LittleEndian.getLongAcquire(memory, offset);
    }

    int getInt(long at) {
        final long offset = load(at, Integer.BYTES);
        return LittleEndian.getInt(memory, offset);
    }

    /** Returns the CRC-32C of some bytes, at most 2^31 - 1, without having all of them in memory. */
    int checksum(long from, long to) {
        if (from >= begin && to <= end) {
            return checksum.of(from - begin, to - begin);
        }
        final Checksum sum = new Checksum(MemorySegment.NULL);
        for (long at = from; at < to;) {
            final long offset = load(at, 1);
            final long part = Math.min(end, to) - at;
            sum.add(memory.asSlice(offset, part));
            at += part;
        }
        summedBefore += to - from;
        return sum.value();
    }

    /** Returns the bytes of which checksums were taken so far. */
    long summedBytes() {
        return summedBefore + checksum.summedBytes();
    }

    // ---- records ----

    /**
     * Returns the length of a complete record, see {@link RecordReader#wholeBytes}. The part in memory grows only for a
     * record whose checksum is correct.
     */
    int wholeRecord(long at, long room) {
        if (room < RingRecord.HEAD_BYTES) {
            return 0;
        }
        final int word = getInt(at + RingRecord.LENGTH_AT);
        final int length = word & RingRecord.LENGTH_MASK;
        if (length < RingRecord.HEAD_BYTES || length > room) {
            return 0;
        }
        final int checked = RingRecord.checkedBytes(word);
        if (checked > BYTES && (at < begin || at + checked > end)
            && getInt(at + RingRecord.CRC_AT) != checksum(at + RingRecord.LENGTH_AT, at + checked)) {
            return 0;
        }
        final long offset = load(at, checked);
        return records.wholeBytes(offset, room);
    }

    /** Shows a complete record, see {@link RecordReader#show}. */
    void show(long at, int recordBytes, long position, EntryVisitor visitor) {
        if (RingRecord.hasEntries(getInt(at + RingRecord.LENGTH_AT))) {
            final long offset = load(at, recordBytes);
            records.show(offset, recordBytes, position, visitor);
        }
    }
}
