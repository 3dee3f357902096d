package io.teff.test.bench.nio;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Both ends of a case, which exchange messages between start and stop. */
interface Ends extends AutoCloseable {
    /** Begins the exchange. */
    void start() throws Exception;

    /** Begins the recorded times anew, while the exchange goes on. */
    void restart();

    /** {@return the number of round trips, or of messages that have arrived whole, since the start} */
    long count();

    /** {@return whether an end has failed, so that the count stands still} */
    boolean isFailed();

    /**
     * Ends the exchange.
     *
     * @return times of round trips since {@link #restart}, in ns
     * @throws IllegalStateException if an end has failed
     */
    Histogram stop() throws Exception;

    @Override
    void close() throws IOException;
}
