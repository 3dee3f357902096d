package io.teff.engine.snapshot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Blocks of snapshot files that tests have changed. */
public final class SnapshotBlocks {
    private SnapshotBlocks() {}

    /** Recomputes the checksum of the block at an offset, so that only the content of the block is wrong. */
    public static byte[] resealed(byte[] bad, int offset) {
        ByteBuffer file = ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        crc.update(bad, offset, 16);
        crc.update(bad, offset + 24, file.getInt(offset + 4));
        file.putInt(offset + 16, (int) crc.getValue());
        return bad;
    }
}
