package io.teff.engine.alloc;

import io.teff.engine.os.Clock;
import io.teff.engine.os.SystemInfo;
import org.jspecify.annotations.Nullable;

/**
 * The stripes of one store, and which of them a thread takes.
 *
 * <p>A thread tries the stripe that threads with its low id bits used last, then the others, and waits (spin, yield,
 * park) only if all are held. No thread owns a stripe, so threads may come and go without limit. The memory of a home
 * is a hint: races on it only cost a detour.
 */
public final class AllocStripes {
    private static final int STRIPES_MIN = 4;
    private static final int STRIPES_MAX = 64;
    private static final int STRIPES_PER_PROCESSOR = 2;
    private static final int HOMES = 64;
    private static final int SPINS = 64;
    private static final int YIELDS = 8;
    private static final long PARK_NS = 20_000;

    private final AllocStripe[] stripes;
    private final byte[] homes = new byte[HOMES];
    private final Clock time;
    /** The thread that has all stripes, or is about to. */
    private volatile @Nullable Thread holder;

    /**
     * Makes stripes for this machine.
     *
     * @param time the seam for waiting
     */
    public AllocStripes(Clock time) {
        this(time, Integer.highestOneBit(Math.clamp(
            2L * STRIPES_PER_PROCESSOR * SystemInfo.processors() - 1, STRIPES_MIN, STRIPES_MAX)));
    }

    AllocStripes(Clock time, int count) {
        this.time = time;
        stripes = new AllocStripe[count];
        for (int i = 0; i < count; i++) {
            stripes[i] = new AllocStripe(i);
        }
        for (int i = 0; i < HOMES; i++) {
            homes[i] = (byte) (i % count);
        }
    }

    /** {@return the number of stripes} */
    public int count() {
        return stripes.length;
    }

    /**
     * A stripe by number, for walkers that hold it or accept racy values.
     *
     * @param index from 0
     * @return the stripe
     */
    public AllocStripe stripe(int index) {
        return stripes[index];
    }

    /**
     * Takes a stripe for the calling thread; waits if all are held. Not reentrant.
     *
     * @return a stripe to {@link #release}
     */
    public AllocStripe acquire() {
        int home = homes[(int) Thread.currentThread().threadId() & HOMES - 1];
        AllocStripe stripe = stripes[home];
        return stripe.tryAcquire() ? stripe : acquireSlow(home);
    }

    @SuppressWarnings("ReferenceEquality")                    // threads are compared by identity
    private AllocStripe acquireSlow(int home) {
        for (int round = 0; ; round++) {
            if (holder == Thread.currentThread()) {
                throw new IllegalStateException("a create by the thread that audits the store or writes its snapshot; "
                    + "a Progress must not use the store");
            }
            for (int i = 1; i <= stripes.length; i++) {
                AllocStripe stripe = stripes[(home + i) % stripes.length];
                if (stripe.tryAcquire()) {
                    homes[(int) Thread.currentThread().threadId() & HOMES - 1] = (byte) stripe.index();
                    return stripe;
                }
            }
            pause(round);
        }
    }

    private void pause(int round) {
        if (round < SPINS) {
            Thread.onSpinWait();
        } else if (round < SPINS + YIELDS) {
            Thread.yield();
        } else {
            time.pause(this, PARK_NS);
        }
    }

    /**
     * Tries to take one particular stripe.
     *
     * @param index from 0
     * @return whether the calling thread holds it now
     */
    public boolean tryAcquire(int index) {
        return stripes[index].tryAcquire();
    }

    /**
     * Gives a stripe back.
     *
     * @param stripe what {@link #acquire} returned
     */
    public void release(AllocStripe stripe) {
        stripe.release();
    }

    /** Takes all stripes, in order, so that nothing is allocated until {@link #releaseAll}. */
    public void acquireAll() {
        holder = Thread.currentThread();
        for (int i = 0; i < stripes.length; i++) {
            for (int round = 0; !stripes[i].tryAcquire(); round++) {
                pause(round);
            }
        }
    }

    /** Gives all stripes back. */
    public void releaseAll() {
        holder = null;
        for (AllocStripe stripe : stripes) {
            stripe.release();
        }
    }
}
