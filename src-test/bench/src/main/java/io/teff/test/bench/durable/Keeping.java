package io.teff.test.bench.durable;

/** How well a store keeps what it was given when the call returns. */
enum Keeping {
    /** As it fills fastest: well after the next {@link Keeper#sync}. */
    BULK,
    /** The kernel has it: it survives the process. */
    LOGGED,
    /** The device has it. */
    SYNCED
}
