package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a manifest from its file and from the file's copy. Both have the same bytes at the same offsets, so a record
 * counts if the record is complete in either file.
 *
 * <p>Records are appended and synced one by one. So a crash may leave an incomplete last record; this record does not
 * count. An incomplete record before a complete record was synced, so the manifest is damaged. A rest longer than any
 * record is damage, too. A manifest without its {@link ManifestRecord.Begun} was never completed, or has lost more than
 * a crash takes, so the manifest is damaged. Behind the end of the shorter file, the longer file may have anything but
 * a complete record.
 *
 * <p><b>Different contents.</b> A file replaced under its number may for a moment stand beside the copy of the old
 * file. If complete records differ, the file counts alone.
 *
 * <p><b>Cost.</b> Linear in the bytes of both files, for any content: the search behind an incomplete record takes no
 * checksum of bytes that cannot be a record, and ends after a fixed multiple of the rest's length.
 */
public final class ManifestReader {
    /**
     * Contents of a manifest.
     *
     * @param state after the last record before an incomplete or impossible one
     * @param bytes offset of that record
     * @param damage the reason why the manifest cannot be used, or null
     * @param fileBytes offset of the first record that the file itself has not, at most {@code bytes}
     * @param copyBytes offset of the first record that the copy has not, at most {@code bytes}
     */
    public record Result(ManifestState state, long bytes, @Nullable Damage damage, long fileBytes, long copyBytes) {
        /** {@return whether the file and its copy have all records} */
        public boolean isWhole() {
            return fileBytes == bytes && copyBytes == bytes;
        }
    }

    /** The bytes of a file that is missing. */
    public static final MemorySegment NO_FILE = MemorySegment.NULL;
    /** The search for later records takes checksums of at most this multiple of the searched bytes. */
    private static final int SEARCH_FACTOR = 8;

    /** One of the two files. */
    private static final class Side {
        private final MemorySegment bytes;
        private final Checksum checksum;
        private long checkedBytes;
        /** Offset of the first record missing on this side, or -1 while this side has all records. */
        private long missingAt = -1;

        Side(MemorySegment bytes) {
            this.bytes = bytes;
            this.checksum = new Checksum(bytes);
        }

        /** Returns the bytes of a record if its checksum is correct, or 0. */
        int wholeBytes(long at) {
            final long room = bytes.byteSize() - at - ManifestLayout.HEAD_BYTES;
            if (room < 0) {
                return 0;
            }
            final int length = LittleEndian.getInt(bytes, at + ManifestLayout.LENGTH_AT);
            if (length < 0 || length > room) {
                return 0;
            }
            final long end = at + ManifestLayout.HEAD_BYTES + length;
            checkedBytes += end - at;
            return LittleEndian.getInt(bytes, at) == checksum.of(at + ManifestLayout.LENGTH_AT, end)
                ? (int) (end - at) : 0;
        }

        @Nullable ManifestRecord record(long at) {
            return ManifestLayout.read(bytes, at, LittleEndian.getInt(bytes, at + ManifestLayout.LENGTH_AT));
        }

        String unknown(long at) {
            return ManifestLayout.unknown(bytes, at, LittleEndian.getInt(bytes, at + ManifestLayout.LENGTH_AT));
        }
    }

    private final Side file;
    private final Side copy;
    private final List<Side> sides;

    /** Reads a file and a copy of it. */
    ManifestReader(MemorySegment file, MemorySegment copy) {
        this.file = new Side(file);
        this.copy = new Side(copy);
        this.sides = List.of(this.file, this.copy);
    }

    /**
     * Reads a manifest without a copy.
     *
     * @param bytes of the whole file
     * @return its contents
     */
    public static Result read(MemorySegment bytes) {
        return read(bytes, MemorySegment.NULL);
    }

    /**
     * Reads a manifest.
     *
     * @param file all bytes of the file; none if there is no file
     * @param copy all bytes of the copy; none if there is no copy
     * @return the contents
     */
    public static Result read(MemorySegment file, MemorySegment copy) {
        return new ManifestReader(file, copy).read();
    }

    /** Returns the bytes of which checksums were taken. */
    long checkedBytes() {
        return file.checkedBytes + copy.checkedBytes;
    }

    Result read() {
        final ManifestState state = new ManifestState();
        long at = 0;
        while (true) {
            final int inFile = file.wholeBytes(at);
            final int inCopy = copy.wholeBytes(at);
            if (inFile > 0 && inCopy > 0 && !isSame(at, inFile, inCopy)) {
                return new ManifestReader(file.bytes, MemorySegment.NULL).read();
            }
            final int length = Math.max(inFile, inCopy);
            if (length == 0) {
                return end(state, at);
            }
            final Side side = inFile > 0 ? file : copy;
            final ManifestRecord record = side.record(at);
            final String problem = record == null ? side.unknown(at) : state.problem(record);
            if (record == null || problem != null) {
                return result(state, at, new Damage(at, length, String.valueOf(problem)));
            }
            state.apply(record);
            noteMissing(file, inFile, at);
            noteMissing(copy, inCopy, at);
            at += length;
        }
    }

    private boolean isSame(long at, int inFile, int inCopy) {
        return inFile == inCopy && file.bytes.asSlice(at, inFile).mismatch(copy.bytes.asSlice(at, inFile)) < 0;
    }

    private static void noteMissing(Side side, int length, long at) {
        if (length == 0 && side.missingAt < 0) {
            side.missingAt = at;
        }
    }

    private static Result result(ManifestState state, long at, @Nullable Damage damage, Side file, Side copy) {
        return new Result(state, at, damage, file.missingAt < 0 ? at : file.missingAt,
            copy.missingAt < 0 ? at : copy.missingAt);
    }

    private Result result(ManifestState state, long at, @Nullable Damage damage) {
        return result(state, at, damage, file, copy);
    }

    private Result end(ManifestState state, long at) {
        final boolean isEnd = at > 0 && sides.stream().anyMatch(side -> side.bytes.byteSize() == at);
        for (Side side : sides) {
            final Damage later = later(side, at, isEnd);
            if (later != null) {
                return result(state, at, later);
            }
        }
        return result(state, at, state.isBegun() ? null
            : new Damage(at, file.bytes.byteSize() - Math.min(at, file.bytes.byteSize()),
                "the manifest ends before all is said that counts"));
    }

    /**
     * Returns the damage if the rest of a file is more than the beginning of one record, or null.
     *
     * @param isEnd whether the other file ends here: then only a complete record is more
     */
    private static @Nullable Damage later(Side side, long at, boolean isEnd) {
        final long rest = side.bytes.byteSize() - at;
        if (rest > ManifestLayout.RECORD_BYTES_MAX && !isEnd) {
            return new Damage(at, rest, "behind the last complete record there is more than one could have");
        }
        final long stop = side.checkedBytes + SEARCH_FACTOR * rest;
        for (long later = at + 1; later < at + rest; later++) {
            if (ManifestLayout.isPossible(side.bytes, later) && side.wholeBytes(later) > 0
                && side.record(later) != null) {
                return new Damage(at, later - at, "a record is damaged, later ones are not");
            }
            if (side.checkedBytes > stop) {
                return isEnd ? null : new Damage(at, rest, "behind the last complete record there is more than one");
            }
        }
        return null;
    }
}
