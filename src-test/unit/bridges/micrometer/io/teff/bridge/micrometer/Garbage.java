package io.teff.bridge.micrometer;

import java.lang.ref.WeakReference;

/** Collects until something is gone. */
final class Garbage {
    private static final int ROUNDS_MAX = 100;

    private Garbage() {}

    /** Asks for collections until the reference is cleared, or a hundred were not enough. */
    static void collectUntilCleared(WeakReference<?> reference) {
        for (int round = 0; reference.get() != null && round < ROUNDS_MAX; round++) {
            System.gc();
        }
    }
}
