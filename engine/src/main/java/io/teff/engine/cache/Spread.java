package io.teff.engine.cache;

/** Spreads the bits of a hash, so that the tables of an eviction policy do not share them. Pure functions. */
final class Spread {
    /** Odd number with as many ones as zeros: digits of the golden ratio. */
    static final long FIRST = 0x9E37_79B9_7F4A_7C15L;

    private static final long SECOND = 0xBB67_AE85_84CA_A73BL;
    private static final int HALF = 32;

    private Spread() {}

    /** Returns other bits that depend on all bits of a hash. */
    static long of(long hash) {
        long mixed = (hash ^ hash >>> HALF) * SECOND;
        return mixed ^ mixed >>> HALF;
    }
}
