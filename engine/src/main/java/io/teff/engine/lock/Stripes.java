package io.teff.engine.lock;

import io.teff.engine.error.StoreClosedException;
import io.teff.engine.memory.Words;
import io.teff.engine.os.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The stripes of a store: optimistic reads, one writer at a time per stripe, freezing, closing.
 * <pre>
 *  stripe (32 bytes, see Words):   | word | removed chunks | removed payload | removed memory |
 * </pre>
 * <b>Why a validated read is correct.</b> Let a writer W change entry or payload between {@link #enter} and {@link
 * #leave}, and let a reader R load some of the values that W wrote. W's CAS to the odd word precedes its stores (a CAS
 * is a full fence), and R's loads precede its second load of the word (acquire fence), so that load sees W's odd word
 * or a later one, while R's first load saw an even word of a lower version: they differ and R retries. If R loads
 * nothing that W wrote, R saw the state before W, or after an earlier writer whose release store of the word R's
 * acquire load read or preceded. The removed counters are written inside the stripe, too.
 *
 * <p>The same argument covers memory that was freed and given to another chunk: the remover's CAS precedes its free,
 * the free (an atomic OR) precedes the claim of the next owner, and the claim precedes the new owner's stores. On
 * machines that are not multi-copy atomic this needs the full fences of the CAS and the atomic OR; x86 and ARMv8 are
 * multi-copy atomic.
 *
 * <p>A thread waits by bounded spinning, then yields, then parks for increasing times of up to a millisecond: a writer
 * is inside only for the time of one small copy. Lamport 1977 for the idea, Boehm 2012 ("Can seqlocks get along with
 * programming language memory models?") for the fences.
 */
public final class Stripes {
    /** Number of stripes of a normal store. */
    public static final int COUNT_DEFAULT = 4096;
    /** Size of a stripe, which begins with its word. */
    public static final int BYTES = 4 * Long.BYTES;

    private static final int LONGS = BYTES / Long.BYTES;
    private static final int CHUNKS = 1;
    private static final int PAYLOAD = 2;
    private static final int TAKEN = 3;
    private static final int STEP_SHIFT = 11;
    /** Spreads the steps of the stripes; otherwise removes in CID order would make all of them step at once. */
    private static final int PHASES = 0x9E37_79B1;
    /** Upper bound of the steps of one removal; far more than any waiter needs. */
    private static final long STEPS_MAX = 1 << 20;
    private static final int SPINS = 128;
    private static final int YIELDS = 32;
    private static final long PARK_STEP_NS = 50_000;
    private static final long PARK_NS_MAX = 1_000_000;
    /** A thread that freezes waits so many times, a second or so, before it gives way to a close. */
    private static final int GIVE_WAY_ROUNDS = 1_000;

    private final Words words;
    private final long start;
    private final AtomicInteger removedSteps = new AtomicInteger();
    private final int mask;
    private final Clock clock;
    private final String storeName;
    /** The thread that has frozen the stripes, or is about to. */
    private volatile @Nullable Thread freezer;
    /** Whether a thread is about to close the stripes. */
    private volatile boolean isClosing;

    /**
     * Creates open stripes.
     *
     * @param count number of stripes, a power of two
     * @param clock used for waiting
     * @param storeName name for exception texts
     */
    public Stripes(int count, Clock clock, String storeName) {
        assert Integer.bitCount(count) == 1 : count;
        this.words = new Words(count * LONGS);
        this.start = words.start();
        this.mask = count - 1;
        this.clock = clock;
        this.storeName = storeName;
    }

    /** {@return the number of stripes} */
    public int count() {
        return mask + 1;
    }

    /**
     * Returns the number of a chunk's stripe.
     *
     * @param cid any CID or index
     * @return number of the stripe
     */
    public int of(long cid) {
        return (int) cid & mask;
    }

    // ---- reading with few instructions, for readers that keep the results of these methods in fields ----

    /** {@return the words of all stripes} */
    public Words words() {
        return words;
    }

    /** {@return the mask for {@link #place}} */
    public long mask() {
        return mask;
    }

    /**
     * Returns the place of a chunk's stripe.
     *
     * @param start start of {@link #words}
     * @param mask result of {@link #mask}
     * @param cid any CID or index
     * @return place of the stripe's word
     */
    public static long place(long start, long mask, long cid) {
        return Words.place(start, (cid & mask) * LONGS);
    }

    /**
     * Loads a stripe's word with acquire.
     *
     * @param words result of {@link #words}
     * @param place result of {@link #place}
     * @return the word: a read may begin if it is {@link StripeWord#readable}
     */
    public static long word(Words words, long place) {
        return Words.getThenFence(words, place);
    }

    /**
     * Validates a read like {@link #isStill}, and checks that it was allowed to begin.
     *
     * @param words result of {@link #words}
     * @param place result of {@link #place}
     * @param begun result of {@link #word}
     * @return false if a writer is or was inside, or the stripes are closed
     */
    public static boolean isProven(Words words, long place, long begun) {
        return (begun & StripeWord.UNREADABLE | Words.fenceThenGet(words, place) ^ begun) == 0;
    }

    /**
     * Validates that all values read since {@link #word} belong to one state.
     *
     * @param words result of {@link #words}
     * @param place result of {@link #place}
     * @param begun result of {@link #word}
     * @return false if a writer was inside meanwhile
     */
    public static boolean isStill(Words words, long place, long begun) {
        return Words.fenceThenGet(words, place) == begun;
    }

    // ---- reading ----

    /**
     * Begins an optimistic read; waits while a writer is inside.
     *
     * @param stripe number of the stripe
     * @return the word to pass to {@link #unchanged}
     * @throws StoreClosedException after close
     */
    public long begin(int stripe) {
        long word = Words.getThenFence(words, placeOf(stripe));
        return StripeWord.readable(word) ? word : beginSlow(stripe);
    }

    private long beginSlow(int stripe) {
        for (int round = 0; ; round++) {
            long word = Words.getThenFence(words, placeOf(stripe));
            if (StripeWord.readable(word)) {
                return word;
            }
            checkOpen(word);
            pause(round);
        }
    }

    /**
     * Validates that all values read since {@link #begin} belong to one state.
     *
     * @param stripe number of the stripe
     * @param begun result of {@link #begin}
     * @return false if a writer was inside meanwhile: the reader must start again
     */
    public boolean unchanged(int stripe, long begun) {
        return Words.fenceThenGet(words, placeOf(stripe)) == begun;
    }

    // ---- writing ----

    /**
     * Enters as the only writer; waits while another writer is inside or the stripe is frozen. Not reentrant.
     *
     * @param stripe number of the stripe
     * @throws StoreClosedException after close
     */
    public void enter(int stripe) {
        long word = words.getOpaque(placeOf(stripe));
        long entered = StripeWord.entered(word);
        if (entered == StripeWord.REFUSED || !words.cas(placeOf(stripe), word, entered)) {
            enterSlow(stripe);
        }
    }

    /** Refuses a change by the thread that has frozen the stripes, which would wait for itself. */
    @SuppressWarnings("ReferenceEquality")                    // threads are compared by identity
    private void checkNotFrozenByMe() {
        if (freezer == Thread.currentThread()) {
            throw new IllegalStateException("a change of " + storeName + " by the thread that audits it or writes its "
                + "snapshot; a Progress must not use the store");
        }
    }

    private void enterSlow(int stripe) {
        for (int round = 0; ; round++) {
            long word = Words.getThenFence(words, placeOf(stripe));
            long entered = StripeWord.entered(word);
            if (entered != StripeWord.REFUSED && words.cas(placeOf(stripe), word, entered)) {
                return;
            }
            checkOpen(word);
            checkNotFrozenByMe();
            pause(round);
        }
    }

    /**
     * Leaves the stripe and publishes the changes.
     *
     * @param stripe number of the stripe
     */
    public void leave(int stripe) {
        long word = words.getPlain(placeOf(stripe));    // plain: only this thread changes it while it is inside
        words.putRelease(placeOf(stripe), StripeWord.left(word));
    }

    /** Enters all stripes in order. The stripes of one table page are at most all stripes. */
    public void enterAll() {
        for (int stripe = 0; stripe <= mask; stripe++) {
            enter(stripe);
        }
    }

    /** Leaves all stripes. */
    public void leaveAll() {
        for (int stripe = 0; stripe <= mask; stripe++) {
            leave(stripe);
        }
    }

    /**
     * Counts removed chunks. The caller is inside the stripe.
     *
     * @param stripe number of the stripe
     * @param chunks number of removed chunks
     * @param payloadBytes removed payload bytes
     * @param takenBytes freed slot or run bytes
     */
    public void countRemoved(int stripe, long chunks, long payloadBytes, long takenBytes) {
        add(stripe, CHUNKS, chunks);
        add(stripe, PAYLOAD, payloadBytes);
        long taken = add(stripe, TAKEN, takenBytes);
        int phase = stripe * PHASES >>> Integer.SIZE - STEP_SHIFT;
        long steps = (taken + takenBytes + phase >> STEP_SHIFT) - (taken + phase >> STEP_SHIFT);
        if (steps > 0) {
            removedSteps.getAndAdd((int) Math.min(steps, STEPS_MAX));
        }
    }

    /**
     * Counts freed memory that belonged to no chunk.
     *
     * @param bytes freed bytes
     */
    public void countReleased(long bytes) {
        removedSteps.getAndAdd((int) (bytes >> STEP_SHIFT));
    }

    /**
     * Returns a counter of removals, which advances by one step for each 2 KiB approximately. Only differences are
     * meaningful.
     *
     * @return a number that rises, and wraps
     */
    public int removedSteps() {
        return removedSteps.getOpaque();
    }

    /** Adds to a counter of a stripe; returns the previous value. */
    private long add(int stripe, int field, long delta) {
        long place = placeOf(stripe, field);
        long before = words.getPlain(place);
        words.putPlain(place, before + delta);
        return before;
    }

    private long placeOf(int stripe) {
        return placeOf(stripe, 0);
    }

    private long placeOf(int stripe, int field) {
        return Words.place(start, (long) stripe * LONGS + field);
    }

    /** {@return chunks removed so far; exact only while frozen} */
    public long removedChunks() {
        return sum(CHUNKS);
    }

    /** {@return payload bytes removed so far; exact only while frozen} */
    public long removedPayloadBytes() {
        return sum(PAYLOAD);
    }

    /** {@return slot and run bytes removed so far; exact only while frozen} */
    public long removedTakenBytes() {
        return sum(TAKEN);
    }

    private long sum(int field) {
        long sum = 0;
        for (int stripe = 0; stripe <= mask; stripe++) {
            sum += words.getOpaque(placeOf(stripe, field));
        }
        return sum;
    }

    // ---- the whole store ----

    /**
     * Excludes all writers; returns when the last one has left. One thread at a time may freeze.
     *
     * @throws StoreClosedException after close, and if a writer does not leave while another thread waits to close
     */
    public void freeze() {
        freezer = Thread.currentThread();
        for (int stripe = 0; stripe <= mask; stripe++) {
            for (int round = 0; !tryFreeze(stripe); round++) {
                if (isClosing && round >= GIVE_WAY_ROUNDS) {
                    thaw(stripe);
                    throw new StoreClosedException(storeName);
                }
                pause(round);
            }
        }
    }

    private boolean tryFreeze(int stripe) {
        long word = Words.getThenFence(words, placeOf(stripe));
        long frozen = StripeWord.frozen(word);
        if (frozen != StripeWord.REFUSED && words.cas(placeOf(stripe), word, frozen)) {
            return true;
        }
        checkOpen(word);
        return false;
    }

    /** Admits writers again. */
    public void thaw() {
        thaw(mask + 1);
    }

    private void thaw(int end) {
        freezer = null;
        for (int stripe = 0; stripe < end; stripe++) {
            words.putRelease(placeOf(stripe),
                StripeWord.thawed(words.getPlain(placeOf(stripe))));
        }
    }

    /** Announces a close: a thread that freezes in vain gives way to it. */
    public void beginClose() {
        isClosing = true;
    }

    /**
     * Excludes all writers like {@link #freeze}, but those that do not leave in time: their threads have been ended by
     * an error of the JVM, such as an end of the stack, in the middle of a change.
     *
     * @param waitsMax limit of the waits for all of them, about a millisecond each; not a time, because a process that
     *     was suspended may have writers that are about to leave
     */
    public void freezeToClose(int waitsMax) {
        freezer = Thread.currentThread();
        int waits = 0;
        for (int stripe = 0; stripe <= mask; stripe++) {
            while (!tryFreeze(stripe) && waits < waitsMax) {
                pause(waits++);
            }
        }
    }

    /**
     * Excludes all threads permanently. The caller must have frozen the stripes, except stripes that their writers do
     * not leave. A writer that leaves such a stripe in just this moment may open the stripe again: then calls find an
     * empty store there, as the store's memory reads as zero by then.
     */
    public void close() {
        for (int stripe = 0; stripe <= mask; stripe++) {
            long word = words.getPlain(placeOf(stripe));
            words.putVolatile(placeOf(stripe), (word & StripeWord.FROZEN) != 0 ? StripeWord.closed(word)
                : StripeWord.closedAround(word | StripeWord.WRITER));
        }
    }

    /** {@return whether {@link #close} was called} */
    public boolean isClosed() {
        return (lastWord() & StripeWord.CLOSED) != 0;
    }

    /**
     * Checks that the store is open, for callers that enter no stripe.
     *
     * @throws StoreClosedException after close
     */
    public void checkOpen() {
        checkOpen(lastWord());
    }

    private long lastWord() {
        return Words.getThenFence(words, placeOf(mask));
    }

    private void checkOpen(long word) {
        if ((word & StripeWord.CLOSED) != 0) {
            throw new StoreClosedException(storeName);
        }
    }

    private void pause(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
        } else if (round < SPINS + YIELDS) {
            Thread.yield();
        } else {
            clock.pause(this, Math.min((round - SPINS - YIELDS + 1) * PARK_STEP_NS, PARK_NS_MAX));
        }
    }
}
