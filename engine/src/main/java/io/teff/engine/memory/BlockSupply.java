package io.teff.engine.memory;

import io.teff.engine.os.BlockFile;
import io.teff.engine.os.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory without native access. Mappings of a {@link BlockFile} come first: they cost nothing until they are touched,
 * and are given back to the kernel. Where there are none, and for more than 64 MiB at once, memory comes from an arena.
 *
 * <p>Arena memory is prepared ahead of need, because the JDK zeroes it eagerly (0.4 to 0.7 s per GiB).
 * One allocation is always ready or being prepared, with an eighth of the memory handed out so far, from 4 to 64
 * MiB. If a caller needs memory before it is ready, one block of 4 MiB is allocated for the caller at once.
 * Thread-safe.
 */
final class BlockSupply {
    private static final long PREPARED_BYTES_MAX = 64L << 20;
    /** The longest mapping that is not for a single run: the kernel's cache may hold as many zeros. */
    private static final long MAPPED_BYTES_MAX = 16L << 20;
    private static final int SHARE_SHIFT = 3;

    private final Arena arena;
    private final Threads threads;
    private final BlockFile file;
    private @Nullable MemorySegment ready;
    private boolean preparing;
    private long preparedBytes;
    private long handedOutBytes;

    BlockSupply(Arena arena, Threads threads, BlockFile file) {
        this.arena = arena;
        this.threads = threads;
        this.file = file;
    }

    /**
     * Takes one or more blocks of memory.
     *
     * @param bytesMax upper bound of the size, a multiple of the block size, at least one block
     * @return zeroed memory of whole blocks, or null if there is none
     */
    synchronized @Nullable MemorySegment take(long bytesMax) {
        MemorySegment mapped = file.map(Math.min(share(MAPPED_BYTES_MAX), bytesMax), arena);
        if (mapped != null) {
            handedOutBytes += mapped.byteSize();
            return mapped;
        }
        MemorySegment taken = ready;
        if (taken != null && taken.byteSize() <= bytesMax) {
            ready = null;
            preparedBytes = 0;
        } else {
            taken = allocate(RegionLayout.BLOCK_BYTES);
        }
        if (taken != null) {
            handedOutBytes += taken.byteSize();
            prepareNext(bytesMax - taken.byteSize());
        }
        return taken;
    }

    /**
     * Takes memory for one large run.
     *
     * @param bytes a multiple of the block size
     * @return zeroed memory of exactly that size, or null if there is none
     */
    synchronized @Nullable MemorySegment takeExactly(long bytes) {
        MemorySegment mapped = bytes <= BlockFile.BYTES_MAX ? file.map(bytes, arena) : null;
        MemorySegment taken = mapped == null ? allocate(bytes) : mapped;
        if (taken != null) {
            handedOutBytes += bytes;
        }
        return taken;
    }

    /** Returns the bytes that are ready or being prepared. */
    synchronized long preparedBytes() {
        return preparedBytes;
    }

    private void prepareNext(long bytesLeft) {
        long bytes = Math.min(share(PREPARED_BYTES_MAX), bytesLeft);
        if (ready == null && !preparing && bytes > 0 && handedOutBytes > RegionLayout.BLOCK_BYTES) {
            preparing = true;
            preparedBytes = bytes;
            threads.start("teff-memory", () -> prepared(allocate(bytes)));
        }
    }

    /** Returns an eighth of the memory handed out so far, at least a block. */
    private long share(long bytesMax) {
        long share = (handedOutBytes >>> SHARE_SHIFT) & -RegionLayout.BLOCK_BYTES;
        return Math.min(Math.max(share, RegionLayout.BLOCK_BYTES), bytesMax);
    }

    private synchronized void prepared(@Nullable MemorySegment segment) {
        ready = segment;
        preparing = false;
        preparedBytes = segment == null ? 0 : segment.byteSize();
    }

    private @Nullable MemorySegment allocate(long bytes) {
        try {
            return arena.allocate(bytes, RegionLayout.UNIT_BYTES);
        } catch (OutOfMemoryError | IllegalStateException e) {
            return null;                                        // no memory, or the store was closed meanwhile
        }
    }
}
