package io.teff.recovery;

/**
 * Told how far the opening of a store is, about once per segment, by one thread at a time. What it throws ends the
 * opening.
 */
@FunctionalInterface
public interface RestoreProgress {
    /** Ignores everything. */
    RestoreProgress NONE = (doneBytes, totalBytes, chunks, elapsedNs) -> { };

    /**
     * Called now and then.
     *
     * @param doneBytes bytes of files that are read
     * @param totalBytes bytes of files in all
     * @param chunks entries that were given to the store so far, outdated ones included
     * @param elapsedNs nanoseconds since the first byte was read
     */
    void at(long doneBytes, long totalBytes, long chunks, long elapsedNs);
}
