package io.teff.recovery;

/**
 * Listener for the progress of an opening, called about once per segment, by one thread at a time. An exception of the
 * listener ends the opening.
 */
@FunctionalInterface
public interface RestoreProgress {
    /** Ignores all calls. */
    RestoreProgress NONE = (doneBytes, totalBytes, chunks, elapsedNs) -> { };

    /**
     * Called repeatedly during an opening.
     *
     * @param doneBytes bytes of files read so far
     * @param totalBytes bytes of all files
     * @param chunks entries given to the store so far, outdated ones included
     * @param elapsedNs nanoseconds since the first byte was read
     */
    void at(long doneBytes, long totalBytes, long chunks, long elapsedNs);
}
