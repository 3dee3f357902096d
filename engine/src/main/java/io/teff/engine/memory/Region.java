package io.teff.engine.memory;

import io.teff.engine.event.RegionGrowEvent;
import io.teff.engine.os.LinuxMemory;
import io.teff.engine.os.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The growable address space of one store, in blocks of 4 MiB.
 *
 * <p>With native access it is one reservation as large as the limit, which costs nothing until touched, and units can
 * be given back to the kernel. {@link #close()} gives everything back at once but leaves the (empty) space mapped until
 * the
 * {@link Memory} is unreachable, so that an access that runs at that moment reads zeros instead of crashing.
 *
 * <p>Without native access, blocks come from the JDK's arenas and stay until close, which makes every later access
 * throw, also one that runs at that moment on another thread.
 *
 * <p>{@link #grow} and {@link #giveBack} are called by one thread at a time (the run map's lock).
 */
public final class Region implements AutoCloseable {
    /** Result of {@link #grow} when the limit is reached or the machine has no more. */
    public static final int NO_BLOCK = -1;

    /** Owner of blocks, and of the segments handed out by {@link #segment}. */
    private final Arena arena = Arena.ofShared();
    private final Memory memory;
    private final @Nullable BlockSupply supply;
    private final int blockLimit;
    private int blockCount;
    /** Blocks that do not continue their predecessor's memory: a run must not cross into them. */
    private final BitSet startsAllocation = new BitSet();

    /**
     * Opens a region; no memory is committed yet.
     *
     * @param limitBytes the most it may grow to; rounded up to whole blocks
     * @param hugePages whether to ask the kernel for huge pages
     * @param threads prepare memory in the background
     */
    public Region(long limitBytes, boolean hugePages, Threads threads) {
        if (limitBytes < 1 || limitBytes > RegionLayout.REGION_BYTES_MAX) {
            throw new IllegalArgumentException("limitBytes=" + limitBytes + " is outside of 1.."
                + RegionLayout.REGION_BYTES_MAX);
        }
        blockLimit = (int) ((limitBytes + RegionLayout.BLOCK_BYTES - 1) >>> RegionLayout.BLOCK_SHIFT);
        if (Memory.RESERVED) {
            long bytes = (long) blockLimit << RegionLayout.BLOCK_SHIFT;
            memory = new Memory(bytes);
            LinuxMemory.hugePages(memory.machineAddress(RegionLayout.FIRST_ADDRESS), bytes, hugePages);
            supply = null;
        } else {
            memory = new Memory(0);
            supply = new BlockSupply(arena, threads);
        }
    }

    /**
     * The accessor of this region's memory.
     *
     * @return the same object always
     */
    public Memory memory() {
        return memory;
    }

    /**
     * Adds blocks at the end of the address space, zeroed.
     *
     * @param countMin contiguous blocks needed; more may be added if that is 1
     * @return index of the first new block, or {@link #NO_BLOCK}; {@link #blockEnd()} tells where the new ones end
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
        int countMax = blockLimit - blockCount;
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
        return RegionLayout.blockOf(more.byteSize());
    }

    /**
     * Index after the last block.
     *
     * @return the index that the next block will have
     */
    public int blockEnd() {
        return RegionLayout.FIRST_BLOCK + blockCount;
    }

    /**
     * Memory that was taken from the machine ahead of need and is not part of a block yet.
     *
     * @return bytes; 0 for a reserved region
     */
    public long preparedBytes() {
        return supply == null ? 0 : supply.preparedBytes();
    }

    /**
     * The largest number of blocks.
     *
     * @return the limit in blocks
     */
    public int blockLimit() {
        return blockLimit;
    }

    /**
     * Tells whether memory runs on from the previous block into this one.
     *
     * @param block index of a block
     * @return whether a run may cross the border in front of it
     */
    public boolean continues(int block) {
        return block > RegionLayout.FIRST_BLOCK && !startsAllocation.get(block);
    }

    /**
     * Tells whether this is one reservation: then memory runs on from each block into the next one, and
     * {@link #giveBack} and {@link #protect} do something.
     *
     * @return true for a reserved region
     */
    public boolean reserved() {
        return supply == null;
    }

    /**
     * Gives whole units back to the kernel; they read as zero when touched again.
     *
     * @param address first byte
     * @param bytes whole units
     */
    public void giveBack(long address, long bytes) {
        if (reserved()) {
            LinuxMemory.giveBack(memory.machineAddress(address), bytes);
        }
    }

    /**
     * Guards whole units against any access, or lifts the guard; only in a reserved region.
     *
     * @param address first byte
     * @param bytes whole units
     * @param accessible false to guard
     */
    public void protect(long address, long bytes, boolean accessible) {
        if (reserved()) {
            LinuxMemory.protect(memory.machineAddress(address), bytes, accessible);
        }
    }

    /**
     * A range as a segment that lives until {@link #close()}.
     *
     * @param address first byte
     * @param bytes its size
     * @return the segment
     */
    @SuppressWarnings("restricted")
    public MemorySegment segment(long address, long bytes) {
        return reserved()
            ? MemorySegment.ofAddress(memory.machineAddress(address)).reinterpret(bytes, arena, null)
            : memory.blockSlice(address, bytes);
    }

    /** Ends all segments and gives all memory back; idempotent. */
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
