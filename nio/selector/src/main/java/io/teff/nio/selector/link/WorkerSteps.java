package io.teff.nio.selector.link;

/** Steps of the threads of a worker between calls of progress. */
interface WorkerSteps {
    /** {@return whether there may be something to do for {@link #extras}} */
    boolean hasExtras();

    /** Takes finished pieces back, and does what follows from messages; returns how much there was to do. */
    int extras();

    /**
     * Does what only the helper does.
     *
     * @param quiet number of rounds since there was anything to do
     * @return how much there was to do
     */
    int helperRound(int quiet);

    /** {@return whether steps wait for a round of any thread} */
    boolean hasSharedSteps();

    /** {@return whether steps wait for a round of any thread, or of the helper} */
    boolean hasSteps();

    /** {@return the longest sleep of the helper, in nanoseconds} */
    long sleepNs();

    /** {@return whether the worker is closed, or about to be closed} */
    boolean isClosed();

    /** Closes the worker, behind the last round of the helper. */
    void end();

    /** Takes note of a failure. */
    void failed(RuntimeException failure);
}
