package io.teff.test.bench.nio;

import io.teff.test.bench.store.Named;
import java.util.List;

/** The patterns of the comparison. */
enum NioMode implements Named {
    /** Both ends read again and again until bytes are there. */
    PLAIN_TRIP("java.nio, ping-pong, both ends spin", true),
    /** Both ends wait in a blocking read. */
    BLOCKING_TRIP("java.nio, ping-pong, both ends block", true),
    /** Ping-pong in the handlers of Netty. */
    NETTY_TRIP("Netty, ping-pong", true),
    /** A stream from one end to the other, both of which block. */
    PLAIN_RATE("java.nio, stream of direct buffers, both ends block", false),
    /** A stream of messages on each connection, flushed in groups. */
    NETTY_RATE("Netty, streams", false),
    /** Connections that have carried a byte, and rest. */
    IDLE("connections that have carried one byte and rest; KiB of the process for both ends of one, with the workers",
        List.of("KiB", "cpu %"));

    private final String title;
    private final List<String> columns;

    NioMode(String title, boolean isLatency) {
        this(title, isLatency ? List.of("p50 us", "p99 us", "p99.9 us", "K/s", "cpu us")
            : List.of("M/s", "MB/s", "cpu ns"));
    }

    NioMode(String title, List<String> columns) {
        this.title = title;
        this.columns = columns;
    }

    String title() {
        return title;
    }

    List<String> columns() {
        return columns;
    }

    /** Whether the number of connections is varied. */
    boolean isNetty() {
        return this == NETTY_TRIP || this == NETTY_RATE;
    }
}
