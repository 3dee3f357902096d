package io.teff.engine.snapshot;

import io.teff.engine.os.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Writes blocks: fill {@link #body()}, then {@link #write}. For one thread. */
public final class BlockWriter implements Closeable {
    private final DiskFile file;
    private final ByteBuffer block = ByteBuffer.allocateDirect(SnapshotLayout.FRAME_BYTES
        + SnapshotLayout.BODY_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long offset;
    private long blockCount;

    /**
     * Starts at the beginning of a file.
     *
     * @param file an empty file; closed by {@link #close()}
     */
    public BlockWriter(DiskFile file) {
        this.file = file;
        block.position(SnapshotLayout.FRAME_BYTES);
    }

    /** {@return the body to fill, from its position to its limit} */
    public ByteBuffer body() {
        return block;
    }

    /** {@return whether the body is empty} */
    public boolean isEmpty() {
        return block.position() == SnapshotLayout.FRAME_BYTES;
    }

    /**
     * Writes the body as one block and empties it.
     *
     * @param type of the block
     * @throws IOException if the block could not be written
     */
    public void write(int type) throws IOException {
        int length = block.position() - SnapshotLayout.FRAME_BYTES;
        block.flip();
        block.putInt(0, type).putInt(4, length).putLong(8, offset);
        crc.reset();
        crc.update(block.slice(0, 16));
        crc.update(block.slice(SnapshotLayout.FRAME_BYTES, length));
        block.putInt(16, (int) crc.getValue()).putInt(20, 0);
        file.write(block, offset);
        offset += SnapshotLayout.FRAME_BYTES + length;
        blockCount++;
        block.clear().position(SnapshotLayout.FRAME_BYTES);
    }

    /** {@return bytes written so far} */
    public long offset() {
        return offset;
    }

    /** {@return blocks written so far} */
    public long blockCount() {
        return blockCount;
    }

    /**
     * Waits until everything is on the device.
     *
     * @throws IOException if the device failed
     */
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
