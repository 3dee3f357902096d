package io.teff.engine.report;

/**
 * Told how far a long operation is; called on the thread that runs it, about once per MiB.
 *
 * <p>Changes of the store wait meanwhile, so it must not change, audit or close that store: that throws
 * {@link IllegalStateException}. What it throws ends the operation.
 */
@FunctionalInterface
public interface Progress {
    /** Ignores everything. */
    Progress NONE = (done, total) -> { };

    /**
     * Called now and then.
     *
     * @param done units of work that are done: chunks, or bytes of a file
     * @param total units of work in all
     */
    void at(long done, long total);
}
