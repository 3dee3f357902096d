package io.teff.test.bench.rdma;

import java.io.IOException;

/**
 * One end of a group of ends in this process. Used by the thread that drives it; peers look only at what was published
 * before a barrier.
 */
interface End extends AutoCloseable {
    /**
     * Connects this end with all others, after all of them were made. Operations may begin after all have done that.
     */
    void connect(End[] all) throws Exception;

    /**
     * Begins an operation.
     *
     * @param to number of the other end
     * @return false while too many are under way
     */
    boolean begin(int to) throws Exception;

    /**
     * Looks for what has ended and what has arrived.
     *
     * @return how many operations have ended since the last call
     */
    int poll() throws Exception;

    /** {@return the number of operations that have begun} */
    long begun();

    /** {@return the number of messages that have arrived} */
    long arrived();

    /** {@return the number of operations under way} */
    int underWay();

    /** Begins what has to be done before {@link #close}; ends are polled afterwards until nothing is under way. */
    default void finish() throws Exception {
        // nothing, for most
    }

    /** {@return whether operations of peers go on while no thread polls this end} */
    boolean isPassive();

    @Override
    void close() throws IOException;
}
