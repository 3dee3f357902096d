package io.teff.test.bench.durable;

/** The durability of an operation at its return. */
enum Keeping {
    /** The mode of the fastest filling: durable after the next {@link Keeper#sync}. */
    BULK,
    /** In the kernel: survives the process. */
    LOGGED,
    /** On the device. */
    SYNCED
}
