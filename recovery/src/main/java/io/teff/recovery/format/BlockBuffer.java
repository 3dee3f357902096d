package io.teff.recovery.format;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory in which a {@link SegmentWriter} assembles blocks; writers may share a buffer in turn. For one thread at a
 * time.
 */
public final class BlockBuffer {
    /** A buffer of no bytes, for writers without one. */
    static final BlockBuffer NONE = new BlockBuffer(ByteBuffer.allocateDirect(0));

    final ByteBuffer bytes;
    final MemorySegment memory;
    final Checksum checksum;
    private final int block;
    private final int node;

    /**
     * Allocates a buffer.
     *
     * @param bytes its size, a multiple of 4,096
     */
    public BlockBuffer(int bytes) {
        this(ByteBuffer.allocateDirect(bytes));
    }

    /**
     * Uses memory.
     *
     * @param bytes the memory, a multiple of 4,096 bytes
     */
    public BlockBuffer(ByteBuffer bytes) {
        this(bytes, 0, 0);
    }

    /**
     * Uses a part of a block of memory.
     *
     * @param bytes the part, a multiple of 4,096 bytes
     * @param block number of the block
     * @param node number of the part there
     */
    public BlockBuffer(ByteBuffer bytes, int block, int node) {
        assert bytes.capacity() % LittleEndian.PAGE_BYTES == 0 : bytes.capacity();
        this.block = block;
        this.node = node;
        this.bytes = bytes.clear();
        this.memory = MemorySegment.ofBuffer(bytes);
        this.checksum = new Checksum(memory);
    }

    /** {@return its size in bytes} */
    public int capacity() {
        return bytes.capacity();
    }

    /** {@return its memory} */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** {@return the number of the block of which it is a part} */
    public int block() {
        return block;
    }

    /** {@return the number of the part} */
    public int node() {
        return node;
    }
}
