package io.teff.test.crash;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** Faults to be planted in a child, to check that they are detected. */
enum Plant {
    /** No fault. */
    NONE,
    /** Half of all changes are acknowledged a moment before they are made. */
    EARLY,
    /** Some changes are acknowledged but not made. */
    FORGET,
    /** Some removals are acknowledged but not made. */
    REVIVE,
    /** Some values have a wrong byte. */
    TORN,
    /** Damage is accepted in silence. */
    ACCEPTING,
    /** A lost lock is not noticed. */
    BLIND,
    /** The process needs more heap than it is given now and then. */
    FAT,
    /** The log is never cleaned. */
    GROWING,
    /** A thread waits forever. */
    STALL,
    /** An operation loses the interrupt of its thread. */
    UNINTERRUPTED,
    /** A record whose thread has ended is never given up. */
    UNENDED;

    private static final int FAT_BYTES = 40 << 20;
    private static final int ONE_OF = 200;
    /** Delay long enough that a kill usually hits a thread in it. */
    private static final long EARLY_NS = 500_000;

    /** Runs the acknowledgement if this change is to be acknowledged too early. */
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

    /** Clears the interrupt flag of an operation. */
    void interrupted(SplittableRandom random) {
        if (this == UNINTERRUPTED && random.nextInt(ONE_OF) == 0) {
            Thread.interrupted();
        }
    }

    /** Returns what the process keeps on its heap. */
    byte[] ballast() {
        return new byte[this == FAT ? FAT_BYTES : 0];
    }

    void stall(SplittableRandom random) {
        while (this == STALL && random.nextInt(ONE_OF) == 0) {
            LockSupport.park(this);
        }
    }
}
