package io.teff.rdma;

/**
 * An object that stands for a native object, such as a queue pair or an endpoint.
 *
 * <p>Thread-safe: any thread may close an object. Close waits for the native call in progress on the object, and closes
 * the dependents first, from the newest to the oldest.
 */
public interface RdmaObject extends AutoCloseable {
    /** {@return whether the object was not closed yet} Another thread may close the object right after. */
    boolean isOpen();

    /**
     * Closes the dependents of this object, and then the object itself. Does nothing if it is closed.
     *
     * @throws RdmaException if a native object could not be freed; all further objects are freed, and all count as
     *     closed
     */
    @Override
    void close();
}
