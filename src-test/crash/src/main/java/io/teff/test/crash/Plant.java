package io.teff.test.crash;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Faults that a child can be given, to see that they are found. */
enum Plant {
    /** None. */
    NONE,
    /** Half of all changes are acknowledged a moment before they are made. */
    EARLY,
    /** One of some changes is acknowledged and not made. */
    FORGET,
    /** One of some removals is acknowledged and not made. */
    REVIVE,
    /** One of some values has a wrong byte. */
    TORN,
    /** A thread that waits for ever. */
    STALL;

    private static final int ONE_OF = 200;
    /** Some changes long, so that a kill seldom finds no thread in it. */
    private static final long EARLY_NS = 500_000;

    /** Calls what acknowledges a change, if that is to be too early. */
    void early(SplittableRandom random, Runnable acknowledge) {
        if (this == EARLY && random.nextInt(2) == 0) {
            acknowledge.run();
            LockSupport.parkNanos(EARLY_NS);
        }
    }

    boolean isLeftOut(SplittableRandom random, int kind) {
        return (this == FORGET && kind == State.CHANGED || this == REVIVE && kind == State.ABSENT)
            && random.nextInt(ONE_OF) == 0;
    }

    byte[] content(SplittableRandom random, byte[] bytes) {
        if (this == TORN && bytes.length > Content.HEAD_BYTES && random.nextInt(ONE_OF) == 0) {
            bytes[bytes.length - 1]++;
        }
        return bytes;
    }

    void stall(SplittableRandom random) {
        while (this == STALL && random.nextInt(ONE_OF) == 0) {
            LockSupport.park(this);
        }
    }
}
