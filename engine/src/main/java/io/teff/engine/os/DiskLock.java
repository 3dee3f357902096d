package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;

/** An exclusive lock of a file. Closing it unlocks. Thread-safe. */
@FunctionalInterface
public interface DiskLock extends Closeable {
    /**
     * Checks that no other owner can have taken the lock meanwhile. Systems release it when the process closes the file
     * through any handle, and a file that was deleted or replaced can be locked again by others.
     *
     * @throws LockLostException if the file is not the one that was locked, or names another owner
     * @throws IOException if that cannot be found out
     */
    default void check() throws IOException {}
}
