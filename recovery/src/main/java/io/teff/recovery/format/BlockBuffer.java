package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Memory in which a {@link SegmentWriter} makes its blocks; several may use it in turn. For one thread at a time. */
public final class BlockBuffer {
    /** A buffer for writers that have none: nothing fits into it. */
    static final BlockBuffer NONE = new BlockBuffer(ByteBuffer.allocateDirect(0));

    final ByteBuffer bytes;
    final MemorySegment memory;
    final Checksum checksum;

    /**
     * Makes a buffer.
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
