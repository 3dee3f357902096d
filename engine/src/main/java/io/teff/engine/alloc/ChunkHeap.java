package io.teff.engine.alloc;

import io.teff.engine.error.StoreException;
import io.teff.engine.memory.Memory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap that chunks are made in: the {@link Allocator}, with the debug ladder around it when the level is above 0.
 *
 * <p>Thread-safe, except that {@code stripe} must be held by the caller.
 */
public final class ChunkHeap {
    /** Result of {@link #allocate} when the region is at its limit. */
    public static final long FULL = Allocator.FULL;

    private final Allocator allocator;
    private final @Nullable DebugLadder ladder;

    /**
     * Makes a heap.
     *
     * @param allocator where memory comes from
     * @param runs the run map behind it
     * @param guard guards units against access, for level 3
     * @param debugLevel 0 to 3
     */
    public ChunkHeap(Allocator allocator, RunMap runs, DebugLadder.Guard guard, int debugLevel) {
        this.allocator = allocator;
        this.ladder = debugLevel == 0 ? null : new DebugLadder(allocator, runs, guard, debugLevel);
    }

    /**
     * Hands out memory; its content is undefined.
     *
     * @param stripe a stripe that the calling thread holds
     * @param bytes at least 1
     * @return the address, or {@link #FULL}
     */
    public long allocate(AllocStripe stripe, long bytes) {
        return ladder == null ? allocator.allocate(stripe, bytes) : ladder.allocate(stripe, bytes);
    }

    /**
     * Takes memory back.
     *
     * @param address what {@link #allocate} returned
     * @param bytes what was asked for then
     * @throws StoreException if that is not memory in use of that size, or was damaged
     */
    public void free(long address, long bytes) {
        if (ladder == null) {
            allocator.free(address, bytes);
        } else {
            ladder.free(address, bytes);
        }
    }

    /**
     * The bytes that an allocation really takes.
     *
     * @param bytes what was asked for; 0 takes nothing
     * @return bytes of its slot or run
     */
    public long takenBytes(long bytes) {
        return bytes == 0 ? 0 : ladder == null ? SizeClasses.takenBytes(bytes) : ladder.takenBytes(bytes);
    }

    /**
     * The same, of a heap that may not exist.
     *
     * @param bytes what is asked for; 0 takes nothing
     * @param debugLevel 0 to 3
     * @return bytes of its slot or run
     */
    public static long takenBytes(long bytes, int debugLevel) {
        return bytes == 0 ? 0 : debugLevel == 0 ? SizeClasses.takenBytes(bytes)
            : DebugLadder.takenBytes(bytes, debugLevel);
    }

    /**
     * Tells whether an allocation of that size is a run of units of its own, not a slot.
     *
     * @param bytes what is asked for
     * @return whether it is larger than the largest slot
     */
    public boolean isRun(long bytes) {
        return takenBytes(bytes) > SizeClasses.SLOT_BYTES_MAX;
    }

    /**
     * Tells whether memory is handed out; for audits, with all stripes held.
     *
     * @param address what {@link #allocate} returned
     * @param bytes what was asked for then
     * @return whether a {@link #free} would be right
     */
    public boolean isInUse(long address, long bytes) {
        return ladder == null ? allocator.isInUse(address, bytes) : ladder.isInUse(address, bytes);
    }

    /** {@return slots and runs that are handed out but not in use by a chunk: the quarantine} */
    public int quarantined() {
        return ladder == null ? 0 : ladder.quarantined();
    }

    /** {@return runs in use at level 3; 0 at other levels} */
    public int guarded() {
        return ladder == null ? 0 : ladder.guarded();
    }

    /**
     * Takes everything out of quarantine.
     *
     * @throws StoreException if something in it was written to
     */
    public void drainQuarantine() {
        if (ladder != null) {
            ladder.drain();
        }
    }

    /**
     * Injects shortage, for tests; has an effect from debug level 1.
     *
     * @param refusal asked on every allocation; true refuses it
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
