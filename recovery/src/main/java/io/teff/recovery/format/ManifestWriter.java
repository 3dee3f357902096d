package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/** Encodes the records of a manifest. Stateless. */
public final class ManifestWriter {
    private ManifestWriter() {}

    /**
     * Encodes a record.
     *
     * @param record to append
     * @return a new buffer, from 0 to its limit
     */
    public static ByteBuffer bytes(ManifestRecord record) {
        if (record instanceof ManifestRecord.SegmentsReplaced it
            && Math.max(it.made().size(), it.gone().size()) > ManifestRecord.SegmentsReplaced.COUNT_MAX) {
            throw new IllegalArgumentException(it.made().size() + " and " + it.gone().size() + " segments at once");
        }
        final int size = ManifestLayout.HEAD_BYTES + ManifestLayout.bodyBytes(record);
        final ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        final MemorySegment bytes = MemorySegment.ofBuffer(buffer);
        ManifestLayout.write(bytes, record);
        LittleEndian.putInt(bytes, 0, new Checksum(bytes).of(ManifestLayout.LENGTH_AT, size));
        return buffer;
    }

    /**
     * Encodes the records that a new manifest begins with.
     *
     * @param state described by these records
     * @return a new buffer, from 0 to its limit
     */
    public static ByteBuffer bytes(ManifestState state) {
        final List<ByteBuffer> parts = state.records().stream().map(ManifestWriter::bytes).toList();
        final ByteBuffer all = ByteBuffer.allocateDirect(parts.stream().mapToInt(ByteBuffer::remaining).sum());
        parts.forEach(all::put);
        return all.flip();
    }
}
