package io.teff.engine.alloc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One of the few places where threads allocate: for each size class an active page and claimed slots, and counters.
 *
 * <pre>
 *  words  | 128 B unused | held, chunks, payload, taken | by size class: claimed, base, page, - | 128 B unused |
 * </pre>
 * All mutable state lies in one array with padding at both ends. The garbage collector chooses the neighbours of an
 * object on the heap, and when another stripe's counters were adjacent, two threads lost a third of their speed.
 *
 * <p>Held by one thread at a time ({@link AllocStripes#acquire}); all other words are plain and guarded by that.
 */
public final class AllocStripe {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PADDING = 16;
    /** 1 while a thread holds the stripe. */
    private static final int HELD = PADDING;
    private static final int CHUNKS = PADDING + 1;
    private static final int PAYLOAD_BYTES = PADDING + 2;
    private static final int TAKEN_BYTES = PADDING + 3;
    private static final int CLASSES = PADDING + 4;
    private static final int WORDS_PER_CLASS = 4;
    /** Bitmap of the free slots, of one bitmap word, that the stripe has claimed. */
    private static final int CLAIMED = 0;
    /** Address of the first slot of that word. */
    private static final int BASE = 1;
    /** The active page. */
    private static final int PAGE = 2;

    private final int index;
    private final long[] words = new long[CLASSES + SizeClasses.COUNT * WORDS_PER_CLASS + PADDING];

    AllocStripe(int index) {
        this.index = index;
    }

    boolean tryAcquire() {
        return words[HELD] == 0 && WORD.compareAndSet(words, HELD, 0L, 1L);
    }

    void release() {
        WORD.setRelease(words, HELD, 0L);
    }

    /** {@return the stripe's number, from 0} */
    public int index() {
        return index;
    }

    private static int at(int sizeClass) {
        return CLASSES + sizeClass * WORDS_PER_CLASS;
    }

    /** Takes one claimed slot; returns 0 if none is left. */
    long takeClaimed(int sizeClass, int slotBytes) {
        int at = at(sizeClass);
        long claimed = words[at + CLAIMED];
        if (claimed == 0) {
            return 0;
        }
        words[at + CLAIMED] = claimed & claimed - 1;
        return words[at + BASE] + (long) Long.numberOfTrailingZeros(claimed) * slotBytes;
    }

    void claim(int sizeClass, long slots, long base) {
        words[at(sizeClass) + CLAIMED] = slots;
        words[at(sizeClass) + BASE] = base;
    }

    long claimed(int sizeClass) {
        return words[at(sizeClass) + CLAIMED];
    }

    long base(int sizeClass) {
        return words[at(sizeClass) + BASE];
    }

    long page(int sizeClass) {
        return words[at(sizeClass) + PAGE];
    }

    void page(int sizeClass, long page) {
        words[at(sizeClass) + PAGE] = page;
    }

    /**
     * Counts the memory of chunks whose creation is complete.
     *
     * @param chunks number of added chunks
     * @param payloadBytes added payload bytes
     * @param takenBytes added slot or run bytes
     */
    public void count(long chunks, long payloadBytes, long takenBytes) {
        words[CHUNKS] += chunks;
        words[PAYLOAD_BYTES] += payloadBytes;
        words[TAKEN_BYTES] += takenBytes;
    }

    /** {@return chunks created through this stripe; approximate unless held} */
    public long createdChunks() {
        return words[CHUNKS];
    }

    /** {@return payload bytes allocated through this stripe; approximate unless held} */
    public long createdPayloadBytes() {
        return words[PAYLOAD_BYTES];
    }

    /** {@return slot and run bytes allocated through this stripe; approximate unless held} */
    public long createdTakenBytes() {
        return words[TAKEN_BYTES];
    }
}
