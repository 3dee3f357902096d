package io.teff.engine.alloc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One of the few places where threads allocate: an active page per size class, claimed slots, and counters.
 *
 * <p>Held by one thread at a time ({@link AllocStripes#acquire}); all other fields are plain and guarded by that.
 * Padded on both sides, because neighbours are written by other threads.
 */
public final class AllocStripe {
    private static final VarHandle HELD;
    private static final int WORDS_PER_CLASS = 4;
    private static final int CLAIMED = 0;
    private static final int BASE = 1;
    private static final int PAGE = 2;
    private static final int PADDING = 16;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(AllocStripe.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int index;
    /** 1 while a thread holds the stripe. */
    @SuppressWarnings("unused")
    private volatile int held;
    /** By size class: claimed free slots of one bitmap word, address of that word's first slot, the active page. */
    private final long[] heaps = new long[SizeClasses.COUNT * WORDS_PER_CLASS + 2 * PADDING];
    private long createdChunks;
    private long createdPayloadBytes;
    private long createdTakenBytes;

    AllocStripe(int index) {
        this.index = index;
    }

    boolean tryAcquire() {
        return held == 0 && HELD.compareAndSet(this, 0, 1);
    }

    void release() {
        HELD.setRelease(this, 0);
    }

    /** {@return the stripe's number, from 0} */
    public int index() {
        return index;
    }

    private static int at(int sizeClass) {
        return PADDING + sizeClass * WORDS_PER_CLASS;
    }

    /** Takes one claimed slot, or 0 if none is left. */
    long takeClaimed(int sizeClass, int slotBytes) {
        int at = at(sizeClass);
        long claimed = heaps[at + CLAIMED];
        if (claimed == 0) {
            return 0;
        }
        heaps[at + CLAIMED] = claimed & claimed - 1;
        return heaps[at + BASE] + (long) Long.numberOfTrailingZeros(claimed) * slotBytes;
    }

    void claim(int sizeClass, long slots, long base) {
        heaps[at(sizeClass) + CLAIMED] = slots;
        heaps[at(sizeClass) + BASE] = base;
    }

    long claimed(int sizeClass) {
        return heaps[at(sizeClass) + CLAIMED];
    }

    long base(int sizeClass) {
        return heaps[at(sizeClass) + BASE];
    }

    long page(int sizeClass) {
        return heaps[at(sizeClass) + PAGE];
    }

    void page(int sizeClass, long page) {
        heaps[at(sizeClass) + PAGE] = page;
    }

    /**
     * Counts a chunk's memory that was handed out for good.
     *
     * @param chunks chunks more
     * @param payloadBytes payload more
     * @param takenBytes slot or run bytes more
     */
    public void count(long chunks, long payloadBytes, long takenBytes) {
        createdChunks += chunks;
        createdPayloadBytes += payloadBytes;
        createdTakenBytes += takenBytes;
    }

    /** {@return chunks created through this stripe; racy unless held} */
    public long createdChunks() {
        return createdChunks;
    }

    /** {@return payload bytes allocated through this stripe; racy unless held} */
    public long createdPayloadBytes() {
        return createdPayloadBytes;
    }

    /** {@return slot and run bytes allocated through this stripe; racy unless held} */
    public long createdTakenBytes() {
        return createdTakenBytes;
    }
}
