package io.teff.engine.report;

/**
 * Receives the progress of a long operation, about once per MiB, on the thread that runs the operation.
 *
 * <p>Changes of the store wait during the call. Therefore the receiver must not change, audit or close that store: such
 * a call throws {@link IllegalStateException}. An exception thrown by the receiver ends the operation.
 */
@FunctionalInterface
public interface Progress {
    /** A receiver that ignores the progress. */
    Progress NONE = (done, total) -> { };

    /**
     * Reports the progress.
     *
     * @param done units of work done: chunks, or bytes of a file
     * @param total units of work in total
     */
    void at(long done, long total);
}
