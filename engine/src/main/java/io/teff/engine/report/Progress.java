package io.teff.engine.report;

/**
 * Receives the progress of a long operation; called on the thread that runs it, about once per MiB.
 *
 * <p>Changes of the store wait during the call. So the call must not change, audit or close that store: that throws
 * {@link IllegalStateException}. An exception of the call ends the operation.
 */
@FunctionalInterface
public interface Progress {
    /** Ignores everything. */
    Progress NONE = (done, total) -> { };

    /**
     * Reports the progress.
     *
     * @param done units of work done: chunks, or bytes of a file
     * @param total units of work in total
     */
    void at(long done, long total);
}
