package io.teff.recovery.log.file;

import io.teff.engine.os.LazyMemory;
import io.teff.recovery.format.BlockBuffer;
import io.teff.recovery.format.FileHead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The off-heap memory in which the zones of a log assemble their blocks: bounded for any number of zones. For one
 * thread.
 *
 * <pre>
 *  block  |                            node 1                             |   128 KiB
 *         |             node 2            |             node 3            |
 *         |     node 4    |     node 5    |     node 6    |     node 7    |
 *         |  ...                                                          |   pages of 4 KiB
 * </pre>
 * A zone begins with the pages for its first entry, and doubles the pages each time that they are full. So a rarely
 * written zone holds a page, and a zone with many writes a block. Each block is divided by halves: a half of node
 * {@code i} is {@code 2i} or {@code 2i + 1}, and a returned node joins its other half, {@code i ^ 1}, if this half is
 * free.
 *
 * <p><b>Bound.</b> The number of blocks is limited, and there is a single longer buffer. {@link #isReady} says whether
 * a buffer can be lent: if not, the caller makes another zone write and return a buffer. If the JVM has no memory for
 * another block, the existing blocks have to suffice. The first block and the longer buffer are allocated at the begin,
 * so that there is always a buffer to lend when all buffers are returned.
 */
public final class BlockPool {
    private static final int PAGE = FileHead.BYTES;

    private final int blockBytes;
    private final int depth;
    private final IntFunction<ByteBuffer> memory;
    private final List<Block> blocks = new ArrayList<>();
    /** Nodes that are free, by depth: 0 for whole blocks. */
    private final List<Set<Node>> free = new ArrayList<>();
    private BlockBuffer longBuffer;
    private boolean isLongLent;
    private int blocksMax;
    private long lentBytes;

    /** A part of a block. */
    private record Node(int block, int number) {}

    /** Memory of a block, and the buffers of all nodes ever lent. */
    private static final class Block {
        private final ByteBuffer bytes;
        private final @Nullable BlockBuffer[] buffers;

        Block(ByteBuffer bytes, int nodes) {
            this.bytes = bytes;
            this.buffers = new BlockBuffer[nodes];
        }
    }

    /**
     * Allocates the first block and the longer buffer.
     *
     * @param config sizes of the log
     */
    public BlockPool(LogConfig config) {
        this(config.blockBytes(), config.blocksMax(), config.blockBytesMax(), ByteBuffer::allocateDirect,
            LazyMemory::buffer);
    }

    /**
     * Allocates the first block and the longer buffer.
     *
     * @param blockBytes of a block, 4,096 times a power of two
     * @param blocksMax limit of the blocks
     * @param longBytes of the longer buffer, for an entry that does not fit into a block
     * @param memory allocates; an {@link OutOfMemoryError} means that there is no memory for another block
     */
    BlockPool(int blockBytes, int blocksMax, int longBytes, IntFunction<ByteBuffer> memory) {
        this(blockBytes, blocksMax, longBytes, memory, memory);
    }

    /** Allocates the longer buffer in a way of its own: most logs never have such an entry. */
    private BlockPool(int blockBytes, int blocksMax, int longBytes, IntFunction<ByteBuffer> memory,
                      IntFunction<ByteBuffer> longMemory) {
        assert blocksMax > 0 && Integer.bitCount(blockBytes) == 1 : blockBytes + " " + blocksMax;
        this.blockBytes = blockBytes;
        this.depth = Integer.numberOfTrailingZeros(blockBytes / PAGE);
        this.blocksMax = blocksMax;
        this.memory = memory;
        for (int i = 0; i <= depth; i++) {
            free.add(new LinkedHashSet<>());
        }
        addBlock();
        longBuffer = new BlockBuffer(longMemory.apply(longBytes));
    }

    private void addBlock() {
        final Block next = new Block(memory.apply(blockBytes), 2 << depth);
        free.getFirst().add(new Node(blocks.size(), 1));
        blocks.add(next);
    }

    /** {@return the bytes of a block: the most that a zone holds for long} */
    public int blockBytes() {
        return blockBytes;
    }

    /** {@return the bytes that are lent} */
    public long lentBytes() {
        return lentBytes;
    }

    /** {@return the bytes that are allocated, lent or not} */
    public long allocatedBytes() {
        return (long) blocks.size() * blockBytes + longBuffer.capacity();
    }

    /** Returns the depth of the nodes of a length, which are at least as long. */
    private int depthOf(int bytes) {
        final int pages = (Math.max(bytes, 1) + PAGE - 1) / PAGE;
        return depth - (Integer.SIZE - Integer.numberOfLeadingZeros(pages - 1));
    }

    /**
     * Returns whether a buffer can be lent; makes another block if needed and possible.
     *
     * @param bytes length of the buffer
     * @return whether {@link #take} has one
     */
    public boolean isReady(int bytes) {
        if (bytes > blockBytes) {
            return !isLongLent;
        }
        final int wanted = depthOf(bytes);
        for (int at = wanted; at >= 0; at--) {
            if (!free.get(at).isEmpty()) {
                return true;
            }
        }
        if (blocks.size() >= blocksMax) {
            return false;
        }
        try {
            addBlock();
            return true;
        } catch (OutOfMemoryError _) {
            blocksMax = blocks.size();
            return false;
        }
    }

    /**
     * Lends a buffer. {@link #isReady} must be true.
     *
     * @param bytes minimum capacity of the buffer
     * @return the buffer
     */
    public BlockBuffer take(int bytes) {
        if (bytes > blockBytes) {
            assert !isLongLent : bytes;
            if (bytes > longBuffer.capacity()) {                // an entry of a former process with a larger ring
                longBuffer = new BlockBuffer(memory.apply(bytes));
            }
            isLongLent = true;
            lentBytes += longBuffer.capacity();
            return longBuffer;
        }
        final int wanted = depthOf(bytes);
        int at = wanted;
        while (free.get(at).isEmpty()) {
            at--;
        }
        Node node = free.get(at).iterator().next();
        free.get(at).remove(node);
        for (; at < wanted; at++) {
            free.get(at + 1).add(new Node(node.block(), 2 * node.number() + 1));
            node = new Node(node.block(), 2 * node.number());
        }
        lentBytes += blockBytes >> wanted;
        return buffer(node, wanted);
    }

    private BlockBuffer buffer(Node node, int at) {
        final Block block = blocks.get(node.block());
        final BlockBuffer known = block.buffers[node.number()];
        if (known != null) {
            return known;
        }
        final int bytes = blockBytes >> at;
        final int first = (node.number() - (1 << at)) * bytes;
        final BlockBuffer made = new BlockBuffer(block.bytes.slice(first, bytes), node.block(), node.number());
        block.buffers[node.number()] = made;
        return made;
    }

    /**
     * Takes a buffer back.
     *
     * @param buffer that was lent
     */
    public void give(BlockBuffer buffer) {
        lentBytes -= buffer.capacity();
        if (buffer == longBuffer) {
            isLongLent = false;
            return;
        }
        int number = buffer.node();
        int at = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number);
        while (at > 0 && free.get(at).remove(new Node(buffer.block(), number ^ 1))) {
            number >>= 1;
            at--;
        }
        free.get(at).add(new Node(buffer.block(), number));
    }
}
