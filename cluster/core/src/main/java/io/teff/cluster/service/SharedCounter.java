package io.teff.cluster.service;

/** A number by name, 0 at first. The number is the value of the name, 8 bytes, little-endian. */
public interface SharedCounter {

    /**
     * Adds to the number, once.
     *
     * @param delta summand; sums beyond 64 bits wrap around
     * @return the number before
     */
    long getAndAdd(long delta);

    /** {@return the number} */
    long get();
}
