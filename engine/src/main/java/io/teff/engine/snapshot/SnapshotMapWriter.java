package io.teff.engine.snapshot;

import io.teff.engine.alloc.SizeClasses;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.report.StoreStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes the records of MAP blocks. Table pages that arrive while chunks are being written are kept in a buffer,
 * because the current block belongs to the chunks.
 */
final class SnapshotMapWriter {
    private static final int TABLE_RECORDS_MAX = 2048;

    private final BlockWriter writer;
    private final ByteBuffer tables = ByteBuffer.allocate(TABLE_RECORDS_MAX * MapLayout.RECORD_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);

    SnapshotMapWriter(BlockWriter writer) {
        this.writer = writer;
    }

    /** Writes the REGION record as a block. */
    void region(DebugLevel level, StoreStats stats, long end) throws IOException {
        next().putShort(MapLayout.REGION).putShort((short) level.ordinal())
            .putShort(stats.reserved() ? MapLayout.SHAPE_RESERVED : MapLayout.SHAPE_BLOCKS).putShort((short) 0)
            .putLong(end).putLong(stats.committedBytes()).putLong(stats.limitBytes());
        end();
    }

    /**
     * Buffers the record of a table page; returns true if the buffer is full and {@link #writeTables} must follow.
     */
    boolean table(int nid, long address, long firstIndex, int chunks, int reserved, int retired) {
        tables.putShort(MapLayout.TABLE).putShort((short) nid).putShort((short) chunks).putShort((short) reserved)
            .putLong(address).putLong(firstIndex).putLong(retired);
        return !tables.hasRemaining();
    }

    /** Writes the buffered records as a block. The current block must be empty. */
    void writeTables() throws IOException {
        writer.body().put(tables.flip());
        tables.clear();
        end();
    }

    void page(long address, int sizeClass, int slotsInUse, int slotsClaimed) throws IOException {
        next().putShort(MapLayout.PAGE).putShort((short) SizeClasses.slotsInPage(sizeClass))
            .putShort((short) slotsInUse).putShort((short) slotsClaimed).putLong(address)
            .putInt(SizeClasses.slotBytes(sizeClass)).putInt(SizeClasses.pageBytes(sizeClass)).putLong(0);
    }

    void run(long address, long units) throws IOException {
        next().putLong(MapLayout.RUN).putLong(address).putLong(units).putLong(0);
    }

    void free(long address, long units, long touchedUnits) throws IOException {
        next().putLong(MapLayout.FREE).putLong(address).putLong(units).putLong(touchedUnits);
    }

    /** Returns the current block's body, with room for a record. */
    private ByteBuffer next() throws IOException {
        if (writer.body().remaining() < MapLayout.RECORD_BYTES) {
            writer.write(SnapshotLayout.MAP);
        }
        return writer.body();
    }

    /** Ends the current block. */
    void end() throws IOException {
        if (!writer.isEmpty()) {
            writer.write(SnapshotLayout.MAP);
        }
    }
}
