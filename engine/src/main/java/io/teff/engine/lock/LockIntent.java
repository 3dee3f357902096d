package io.teff.engine.lock;

/** The operation for which a thread enters a chunk's stripe. */
public enum LockIntent {
    /** Read the chunk. */
    READ(false, false),
    /** Change the chunk. */
    WRITE(true, false),
    /** Remove the chunk; unlike a change, a read-only chunk allows it. */
    REMOVE(true, false),
    /** Take a read hold, then enter. */
    READ_LOCK(false, true),
    /** Take the exclusive hold, then enter. */
    WRITE_LOCK(true, true),
    /** Exchange the read hold for the exclusive one, then enter. */
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
