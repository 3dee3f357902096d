package io.teff.test.bench.grid;

import java.io.IOException;
import java.util.Map;

/** The processes of a system's servers on this machine. */
interface GridServers extends AutoCloseable {
    String HOST = "127.0.0.1";

    /** Returns the numbers of all processes by their names. */
    Map<String, Long> processes();

    /** Returns the number of the process of a node with data. */
    long victim() throws IOException;

    /** Ends all processes. */
    @Override
    void close() throws IOException;
}
