package io.teff.engine.memory;

import io.teff.engine.event.RegionGrowEvent;
import io.teff.engine.os.BlockFile;
import io.teff.engine.os.LinuxMemory;
import io.teff.engine.os.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The growable address space of one store, in blocks of 4 MiB.
 *
 * <p>With native access the region is a single reservation, an eighth larger than the limit: a long run still finds
 * adjacent blocks when the memory in use is in several places. Untouched memory costs nothing, and units can be given
 * back to the kernel. {@link #close()} gives back all memory at once but leaves the (empty) space
 * mapped until the {@link Memory} is unreachable, so that a concurrent access reads zeros instead of crashing.
 *
 * <p>Without native access, blocks are private mappings of a file without contents ({@link BlockFile}), and their units
 * can be given back, too. Where there are no such mappings, blocks are allocated from the JDK's arenas and stay until
 * close. Every access after close throws, including a concurrent one of another thread.
 *
 * <p>{@link #grow} and {@link #giveBack} are called by one thread at a time, under the run map's lock.
 */
public final class Region implements AutoCloseable {
    /** Result of {@link #grow} if the limit is reached or the machine has no memory left. */
    public static final int NO_BLOCK = -1;

    /** Owner of blocks, and of the segments handed out by {@link #segment}. */
    private final Arena arena = Arena.ofShared();
    private final Memory memory;
    private final @Nullable BlockSupply supply;
    /** One of so many parts of the limit is reserved beyond the limit. */
    private static final int HEADROOM_SHARE = 8;

    private final int configuredLimit;
    private final int headroom;
    /** Blocks that may be in use. More than the configured limit only while a restore uses the headroom. */
    private volatile int blockLimit;
    private int blockCount;
    /** Blocks whose memory does not continue that of the previous block: a run must not cross into them. */
    private final BitSet startsAllocation = new BitSet();
    /** Blocks of an arena: their memory stays until close. */
    private final BitSet isKept = new BitSet();

    /**
     * Opens a region without memory.
     *
     * @param limitBytes upper bound of the size in bytes; rounded up to whole blocks
     * @param hugePages whether to ask the kernel for huge pages
     * @param threads threads that prepare memory in the background
     */
    public Region(long limitBytes, boolean hugePages, Threads threads) {
        this(limitBytes, hugePages, threads, BlockFile.shared());
    }

    /**
     * Opens a region without memory, as {@link #Region(long, boolean, Threads)}.
     *
     * @param limitBytes upper bound of the size in bytes
     * @param hugePages whether to ask the kernel for huge pages
     * @param threads threads that prepare memory in the background
     * @param file mapped to blocks where there is no native access
     */
    public Region(long limitBytes, boolean hugePages, Threads threads, BlockFile file) {
        if (limitBytes < 1 || limitBytes > RegionLayout.REGION_BYTES_MAX) {
            throw new IllegalArgumentException("limitBytes=" + limitBytes + " is outside of 1.."
                + RegionLayout.REGION_BYTES_MAX);
        }
        configuredLimit = (int) ((limitBytes + RegionLayout.BLOCK_BYTES - 1) >>> RegionLayout.BLOCK_SHIFT);
        blockLimit = configuredLimit;
        long blocksMax = RegionLayout.REGION_BYTES_MAX >>> RegionLayout.BLOCK_SHIFT;
        headroom = (int) Math.min(Math.max(1, configuredLimit / HEADROOM_SHARE),
            blocksMax - configuredLimit);
        if (Memory.RESERVED) {
            long bytes = (long) (configuredLimit + headroom) << RegionLayout.BLOCK_SHIFT;
            memory = new Memory(bytes);
            LinuxMemory.hugePages(memory.machineAddress(RegionLayout.FIRST_ADDRESS), bytes, hugePages);
            supply = null;
        } else {
            memory = new Memory(0);
            supply = new BlockSupply(arena, threads, file);
        }
    }

    /**
     * Returns the accessor of this region's memory.
     *
     * @return always the same object
     */
    public Memory memory() {
        return memory;
    }

    /**
     * Adds zeroed blocks at the end of the address space.
     *
     * @param countMin number of contiguous blocks needed; if it is 1, more may be added
     * @return index of the first new block, or {@link #NO_BLOCK}; {@link #blockEnd()} returns the end of the new
     *     blocks
     */
    public int grow(int countMin) {
        RegionGrowEvent event = new RegionGrowEvent();
        event.begin();
        int first = blockEnd();
        int added = addBlocks(first, countMin);
        blockCount += added;
        event.wantedBytes = RegionLayout.blockAddress(countMin);
        event.addedBytes = RegionLayout.blockAddress(added);
        event.sizeBytes = RegionLayout.blockAddress(blockCount);
        event.commit();
        return added == 0 ? NO_BLOCK : first;
    }

    private int addBlocks(int first, int countMin) {
        int countMax = (supply == null ? configuredLimit + headroom : blockLimit) - blockCount;
        if (countMin > countMax || supply == null) {
            return countMin > countMax ? 0 : countMin;
        }
        MemorySegment more = countMin == 1
            ? supply.take(RegionLayout.blockAddress(countMax))
            : supply.takeExactly(RegionLayout.blockAddress(countMin));
        if (more == null) {
            return 0;
        }
        memory.addBlocks(first, more);
        startsAllocation.set(first);
        isKept.set(first, first + RegionLayout.blockOf(more.byteSize()), !more.isMapped());
        return RegionLayout.blockOf(more.byteSize());
    }

    /**
     * Returns the index after the last block.
     *
     * @return index of the next block to be added
     */
    public int blockEnd() {
        return RegionLayout.FIRST_BLOCK + blockCount;
    }

    /**
     * Returns the memory that was allocated ahead of need and is not part of a block yet.
     *
     * @return bytes; 0 for a reserved region
     */
    public long preparedBytes() {
        return supply == null ? 0 : supply.preparedBytes();
    }

    /**
     * Returns the limit of the memory. A reserved region has more addresses than the limit, see {@link #headroom}.
     *
     * @return the limit in blocks
     */
    public int blockLimit() {
        return blockLimit;
    }

    /**
     * Returns the addresses that a reserved region has beyond its limit.
     *
     * @return number of blocks; 0 without a reservation
     */
    public int headroom() {
        return reserved() ? headroom : 0;
    }

    /**
     * Begins or ends the use of the headroom. Memory beyond the limit stays in use after the end until it is freed.
     *
     * @param isUsed whether an eighth more than the limit may be in use
     */
    public void useHeadroom(boolean isUsed) {
        blockLimit = isUsed ? configuredLimit + headroom : configuredLimit;
    }

    /**
     * Returns whether memory continues from the previous block into a block.
     *
     * @param block index of a block
     * @return whether a run may cross the boundary in front of it
     */
    public boolean continues(int block) {
        return block > RegionLayout.FIRST_BLOCK && !startsAllocation.get(block);
    }

    /**
     * Returns whether this region is one reservation. Then memory continues from each block into the next, and {@link
     * #protect} has an effect.
     *
     * @return true for a reserved region
     */
    public boolean reserved() {
        return supply == null;
    }

    /**
     * Returns whether units of a block can be given back to the kernel. The kernel then commits a unit when the unit is
     * first touched.
     *
     * @param block index of a block
     * @return whether {@link #giveBack} has an effect there
     */
    public boolean givesBack(int block) {
        return reserved() || !isKept.get(block);
    }

    /**
     * Gives whole units back to the kernel; they read as zero when touched again.
     *
     * @param address address of the first byte
     * @param bytes size in bytes, whole units of blocks that can be given back
     */
    public void giveBack(long address, long bytes) {
        if (reserved()) {
            LinuxMemory.giveBack(memory.machineAddress(address), bytes);
        } else {
            BlockFile.giveBack(memory.blockSlice(address, bytes));
        }
    }

    /**
     * Guards whole units against any access, or lifts the guard. Reserved regions only.
     *
     * @param address address of the first byte
     * @param bytes size in bytes, whole units
     * @param accessible false to guard, true to lift the guard
     */
    public void protect(long address, long bytes, boolean accessible) {
        if (reserved()) {
            LinuxMemory.protect(memory.machineAddress(address), bytes, accessible);
        }
    }

    /**
     * Returns a range as a segment that is valid until {@link #close()}.
     *
     * @param address address of the first byte
     * @param bytes size in bytes
     * @return the segment
     */
    @SuppressWarnings("restricted")
    public MemorySegment segment(long address, long bytes) {
        return reserved()
            ? MemorySegment.ofAddress(memory.machineAddress(address)).reinterpret(bytes, arena, null)
            : memory.blockSlice(address, bytes);
    }

    /**
     * Returns all address space that blocks may ever take, for readers outside of this process. Reserved regions only.
     * It stays mapped as long as the {@link Memory} is reachable, also after {@link #close()}.
     *
     * @return the space from the first valid address on; memory in it is committed when it is touched
     */
    @SuppressWarnings("restricted")
    public MemorySegment space() {
        return MemorySegment.ofAddress(memory.machineAddress(RegionLayout.FIRST_ADDRESS))
            .reinterpret(RegionLayout.blockAddress(configuredLimit + headroom));
    }

    /** Invalidates all segments and gives back all memory; idempotent. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            if (reserved() && blockCount > 0) {
                long bytes = RegionLayout.blockAddress(blockCount);
                LinuxMemory.protect(memory.machineAddress(RegionLayout.FIRST_ADDRESS), bytes, true);
                LinuxMemory.giveBack(memory.machineAddress(RegionLayout.FIRST_ADDRESS), bytes);
            }
        }
    }
}
