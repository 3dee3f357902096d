package io.teff.engine.lock;

/** What a thread wants to do with a chunk inside of its stripe. */
public enum LockIntent {
    /** Read the chunk. */
    READ(false, false),
    /** Change the chunk. */
    WRITE(true, false),
    /** Remove the chunk; unlike a change, a read-only chunk allows it. */
    REMOVE(true, false),
    /** Take a read hold and go in. */
    READ_LOCK(false, true),
    /** Take the exclusive hold and go in. */
    WRITE_LOCK(true, true),
    /** Swap the read hold for the exclusive one and go in. */
    UPGRADE(true, true);

    private final boolean write;
    private final boolean hold;

    LockIntent(boolean write, boolean hold) {
        this.write = write;
        this.hold = hold;
    }

    boolean write() {
        return write;
    }

    boolean hold() {
        return hold;
    }

    boolean allowedOnReadOnly() {
        return !write || this == REMOVE;
    }
}
