package io.teff.engine.alloc;

import io.teff.engine.os.Clock;
import io.teff.engine.os.SystemInfo;
import org.jspecify.annotations.Nullable;

/**
 * The allocation stripes of one store, and the choice of a stripe for a thread.
 *
 * <p>A thread first tries the stripe that threads with the same low id bits used last, then the others. It waits
 * (spin, yield, park) only if all stripes are held. No thread owns a stripe, so the number of threads is unlimited.
 * The last used stripe is a hint: races on it only cost a detour.
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
    private final Clock clock;
    /** The thread that holds all stripes, or is about to. */
    private volatile @Nullable Thread holder;

    /**
     * Creates stripes for this machine.
     *
     * @param clock used for waiting
     */
    public AllocStripes(Clock clock) {
        this(clock, Integer.highestOneBit(Math.clamp(
            2L * STRIPES_PER_PROCESSOR * SystemInfo.processors() - 1, STRIPES_MIN, STRIPES_MAX)));
    }

    AllocStripes(Clock clock, int count) {
        this.clock = clock;
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
     * Returns a stripe by number, for walkers that hold it or accept approximate values.
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
            clock.pause(this, PARK_NS);
        }
    }

    /**
     * Tries to take a stripe.
     *
     * @param index number of the stripe, from 0
     * @return whether the calling thread holds it now
     */
    public boolean tryAcquire(int index) {
        return stripes[index].tryAcquire();
    }

    /**
     * Releases a stripe.
     *
     * @param stripe result of {@link #acquire}
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

    /**
     * Takes all stripes like {@link #acquireAll}, but not stripes without a release in time, because an error of the
     * JVM has ended their threads. To be released likewise.
     *
     * @param waitsMax limit of the waits for all of them, some 100 us each
     */
    public void acquireAllToClose(int waitsMax) {
        holder = Thread.currentThread();
        int waits = 0;
        for (AllocStripe stripe : stripes) {
            while (!stripe.tryAcquire() && waits < waitsMax) {
                pause(waits++);
            }
        }
    }

    /** Releases all stripes. */
    public void releaseAll() {
        holder = null;
        for (AllocStripe stripe : stripes) {
            stripe.release();
        }
    }
}
