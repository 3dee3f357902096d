package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap of the chunks: the {@link Allocator}, wrapped by the debug ladder if the debug level is above 0.
 *
 * <p>Thread-safe, except that {@code stripe} must be held by the caller.
 */
public final class ChunkHeap {
    /** Result of {@link #allocate} if the region is at its limit. */
    public static final long FULL = Allocator.FULL;

    private final Allocator allocator;
    private final @Nullable DebugLadder ladder;

    /**
     * Creates a heap.
     *
     * @param allocator allocator of the memory
     * @param runs run map of the allocator
     * @param guard guards units against access, for level 3
     * @param debugLevel 0 to 3
     */
    public ChunkHeap(Allocator allocator, RunMap runs, DebugLadder.Guard guard, int debugLevel) {
        this.allocator = allocator;
        this.ladder = debugLevel == 0 ? null : new DebugLadder(allocator, runs, guard, debugLevel);
    }

    /**
     * Allocates memory; its content is undefined.
     *
     * @param stripe a stripe that the calling thread holds
     * @param bytes size in bytes, at least 1
     * @return the address, or {@link #FULL}
     */
    public long allocate(AllocStripe stripe, long bytes) {
        return ladder == null ? allocator.allocate(stripe, bytes) : ladder.allocate(stripe, bytes);
    }

    /**
     * Frees memory.
     *
     * @param address result of {@link #allocate}
     * @param bytes size passed to {@link #allocate}
     * @throws StoreException if the address is not memory in use of that size, or the memory was damaged
     */
    public void free(long address, long bytes) {
        if (ladder == null) {
            allocator.free(address, bytes);
        } else {
            ladder.free(address, bytes);
        }
    }

    /**
     * Returns the memory that an allocation takes.
     *
     * @param bytes requested size; 0 takes nothing
     * @return bytes of its slot or run
     */
    public long takenBytes(long bytes) {
        return bytes == 0 ? 0 : ladder == null ? SizeClasses.takenBytes(bytes) : ladder.takenBytes(bytes);
    }

    /**
     * Returns the memory that an allocation would take in a heap of a debug level.
     *
     * @param bytes requested size; 0 takes nothing
     * @param debugLevel 0 to 3
     * @return bytes of its slot or run
     */
    public static long takenBytes(long bytes, int debugLevel) {
        return bytes == 0 ? 0 : debugLevel == 0 ? SizeClasses.takenBytes(bytes)
            : DebugLadder.takenBytes(bytes, debugLevel);
    }

    /**
     * Returns whether an allocation is a run of units of its own instead of a slot.
     *
     * @param bytes requested size
     * @return whether it is larger than the largest slot
     */
    public boolean isRun(long bytes) {
        return takenBytes(bytes) > SizeClasses.SLOT_BYTES_MAX;
    }

    /**
     * Returns whether memory is allocated. For audits, with all stripes held.
     *
     * @param address result of {@link #allocate}
     * @param bytes size passed to {@link #allocate}
     * @return whether {@link #free} would accept the arguments
     */
    public boolean isInUse(long address, long bytes) {
        return ladder == null ? allocator.isInUse(address, bytes) : ladder.isInUse(address, bytes);
    }

    /** {@return the number of slots and runs in quarantine, which are allocated but not in use by a chunk} */
    public int quarantined() {
        return ladder == null ? 0 : ladder.quarantined();
    }

    /** {@return runs in use at level 3; 0 at other levels} */
    public int guarded() {
        return ladder == null ? 0 : ladder.guarded();
    }

    /**
     * Empties the quarantine.
     *
     * @throws StoreException if memory in quarantine was written to
     */
    public void drainQuarantine() {
        if (ladder != null) {
            ladder.drain();
        }
    }

    /**
     * Injects a shortage, for tests; effective from debug level 1 on.
     *
     * @param refusal asked on each allocation; true refuses the allocation
     */
    public void refuseWhen(BooleanSupplier refusal) {
        if (ladder != null) {
            ladder.refuseWhen(refusal);
        }
    }

    /** {@return the accessor of the region's memory} */
    public Memory memory() {
        return allocator.memory();
    }
}
