package io.teff.recovery.log.file;

import io.teff.recovery.format.BlockBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Pool of buffers: buffers of a common size, as many as are lent at the same time, and a longer buffer. For one thread.
 */
public final class BlockBuffers {
    private final int blockBytes;
    private final Deque<BlockBuffer> free = new ArrayDeque<>();
    private @Nullable BlockBuffer large;

    public BlockBuffers(int blockBytes) {
        this.blockBytes = blockBytes;
    }

    /** Lends a buffer of at least the given bytes. */
    public BlockBuffer take(int bytes) {
        if (bytes <= blockBytes) {
            return free.isEmpty() ? new BlockBuffer(blockBytes) : free.pop();
        }
        final BlockBuffer kept = large;
        large = null;
        return kept != null && kept.capacity() >= bytes ? kept : new BlockBuffer(bytes);
    }

    /** Takes a buffer back. */
    public void give(BlockBuffer buffer) {
        if (buffer.capacity() == blockBytes) {
            free.push(buffer);
        } else {
            large = buffer;
        }
    }
}
