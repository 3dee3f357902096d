package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads a manifest.
 *
 * <p>Records are appended and synced one by one. So if the last one is incomplete, a crash has left it and it does not
 * count; if a complete record follows an incomplete one anywhere, that one was synced and is damaged. A manifest
 * without its {@link ManifestRecord.Begun} was never completed, or has lost more than a crash takes: it is damaged.
 */
public final class ManifestReader {
    /**
     * Contents of a manifest.
     *
     * @param state after the last record before an incomplete or impossible one
     * @param bytes offset of that record
     * @param damage the reason why the manifest cannot be used, or null
     */
    public record Result(ManifestState state, long bytes, @Nullable Damage damage) {}

    private final MemorySegment bytes;
    private final Checksum checksum;

    private ManifestReader(MemorySegment bytes) {
        this.bytes = bytes;
        this.checksum = new Checksum(bytes);
    }

    /**
     * Reads a manifest.
     *
     * @param bytes of the whole file
     * @return its contents
     */
    public static Result read(MemorySegment bytes) {
        return new ManifestReader(bytes).read();
    }

    private Result read() {
        final ManifestState state = new ManifestState();
        final long size = bytes.byteSize();
        long at = 0;
        for (int length = wholeBytes(at); length > 0; length = wholeBytes(at)) {
            final ManifestRecord record = recordAt(at);
            final String problem = record == null ? "a record of an unknown kind" : state.problem(record);
            if (record == null || problem != null) {
                return new Result(state, at, new Damage(at, length, String.valueOf(problem)));
            }
            state.apply(record);
            at += length;
        }
        for (long later = at + 1; later < size; later++) {
            if (wholeBytes(later) > 0 && recordAt(later) != null) {
                return new Result(state, at, new Damage(at, later - at, "a record is damaged, later ones are not"));
            }
        }
        return new Result(state, at, state.isBegun() ? null
            : new Damage(at, size - at, "the manifest ends before all is said that counts"));
    }

    private @Nullable ManifestRecord recordAt(long at) {
        return ManifestLayout.read(bytes, at, LittleEndian.getInt(bytes, at + ManifestLayout.LENGTH_AT));
    }

    /** Returns the bytes of a record if its checksum is correct, or 0. */
    private int wholeBytes(long at) {
        final long room = bytes.byteSize() - at - ManifestLayout.HEAD_BYTES;
        if (room < 0) {
            return 0;
        }
        final int length = LittleEndian.getInt(bytes, at + ManifestLayout.LENGTH_AT);
        if (length < 0 || length > room) {
            return 0;
        }
        final long end = at + ManifestLayout.HEAD_BYTES + length;
        return LittleEndian.getInt(bytes, at) == checksum.of(at + ManifestLayout.LENGTH_AT, end) ? (int) (end - at) : 0;
    }
}
