package io.teff.engine.snapshot;

import io.teff.engine.error.StoreException;
import io.teff.engine.os.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Reads blocks, and checks each block before its body can be read. Lengths are checked before they are used. For one
 * thread.
 */
public final class BlockReader implements Closeable {
    private final DiskFile file;
    private final String name;
    private final ByteBuffer frame = ByteBuffer.allocate(SnapshotLayout.FRAME_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer body = ByteBuffer.allocateDirect(SnapshotLayout.BODY_BYTES_MAX)
        .order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long blockOffset;
    private long nextOffset;
    private long blockCount;

    /**
     * Starts at the beginning of a file.
     *
     * @param file the file; closed by {@link #close()}
     * @param name for messages
     */
    public BlockReader(DiskFile file, String name) {
        this.file = file;
        this.name = name;
    }

    /**
     * Reads the next block.
     *
     * @return its type; the body is in {@link #body()}
     * @throws IOException if the device failed
     * @throws StoreException of category FATAL if the block is damaged or missing
     */
    public int next() throws IOException {
        blockOffset = nextOffset;
        frame.clear();
        if (file.read(frame, blockOffset) < SnapshotLayout.FRAME_BYTES) {
            throw damage("the file ends inside it or before its end block");
        }
        int type = frame.getInt(0);
        int length = frame.getInt(4);
        if (type < SnapshotLayout.HEAD || type > SnapshotLayout.TYPE_MAX || length < 0
            || length > SnapshotLayout.BODY_BYTES_MAX || frame.getLong(8) != blockOffset || frame.getInt(20) != 0) {
            throw damage("its frame is damaged");
        }
        body.clear().limit(length);
        if (file.read(body, blockOffset + SnapshotLayout.FRAME_BYTES) < length) {
            throw damage("the file ends inside it");
        }
        body.flip();
        crc.reset();
        crc.update(frame.slice(0, 16));
        crc.update(body.slice());
        if ((int) crc.getValue() != frame.getInt(16)) {
            throw damage("its checksum is wrong");
        }
        nextOffset = blockOffset + SnapshotLayout.FRAME_BYTES + length;
        blockCount++;
        return type;
    }

    /** {@return the body of the block, to read from its position to its limit} */
    public ByteBuffer body() {
        return body;
    }

    /** {@return blocks read so far} */
    public long blockCount() {
        return blockCount;
    }

    /** {@return bytes read so far} */
    public long offset() {
        return nextOffset;
    }

    /**
     * Returns the file's size.
     *
     * @return bytes
     * @throws IOException if the device failed
     */
    public long fileBytes() throws IOException {
        return file.size();
    }

    /**
     * Returns whether the file ends behind the current block.
     *
     * @return true if nothing follows
     * @throws IOException if the device failed
     */
    public boolean atEnd() throws IOException {
        return fileBytes() == nextOffset;
    }

    /**
     * Returns the exception for damage in the current block.
     *
     * @param what the damage, as the rest of a sentence that begins with the block
     * @return an exception that names file and offset
     */
    public StoreException damage(String what) {
        return StoreException.fatal("snapshot " + name + ": block at offset " + blockOffset + ": " + what);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
