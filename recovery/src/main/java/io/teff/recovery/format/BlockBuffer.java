package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory in which a {@link SegmentWriter} assembles its blocks; writers may share it in turn. For one thread at a time.
 */
public final class BlockBuffer {
    /** A buffer of no bytes, for writers without one. */
    static final BlockBuffer NONE = new BlockBuffer(ByteBuffer.allocateDirect(0));

    final ByteBuffer bytes;
    final MemorySegment memory;
    final Checksum checksum;

    /**
     * Allocates a buffer.
     *
     * @param bytes its size, a multiple of 4,096
     */
    public BlockBuffer(int bytes) {
        this(ByteBuffer.allocateDirect(bytes));
    }

    BlockBuffer(ByteBuffer bytes) {
        assert bytes.capacity() % LittleEndian.PAGE_BYTES == 0 : bytes.capacity();
        this.bytes = bytes.clear();
        this.memory = MemorySegment.ofBuffer(bytes);
        this.checksum = new Checksum(memory);
    }

    /** {@return its size in bytes} */
    public int capacity() {
        return bytes.capacity();
    }
}
