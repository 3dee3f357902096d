package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;

/** An exclusive lock of a file. Closing it unlocks. Thread-safe. */
@FunctionalInterface
public interface DiskLock extends Closeable {
    /**
     * Checks that no other owner can have taken the lock meanwhile. Systems release the lock when the process closes
     * the file through any handle, and a deleted or replaced file can be locked again by other owners.
     *
     * @throws FileLockLostException if the file is not the locked file, or names another owner
     * @throws IOException if that cannot be found out
     */
    default void check() throws IOException {}
}
