package io.teff.test.bench.net;

import io.teff.test.bench.store.Named;
import java.util.List;

/** The patterns of senders and receivers: those in which DXNet was measured, and idle connections. */
enum NetMode implements Named {
    /** Threads of one node wait for the answers of others. */
    ROUND_TRIP("requests whose answers threads of one node wait for",
        "p50 us", "p90 us", "p99 us", "p99.9 us", "p99.99 us", "K/s", "cpu us", "alloc B"),
    /** Threads of one node send to others. */
    ONE_WAY("messages from one node to others", "M/s", "MB/s", "cpu ns", "alloc B"),
    /** Threads of two nodes send to each other. */
    BOTH_WAYS("messages of two nodes to each other, sum of both", "M/s", "MB/s", "cpu ns", "alloc B"),
    /** Each of four nodes sends to all others. */
    ALL_TO_ALL("messages of each of four nodes to all others, sum of all", "M/s", "MB/s", "cpu ns", "alloc B"),
    /** Connections that have carried a message each, and rest: of some nodes to others that have one already. */
    IDLE("connections of each of three nodes to others that have carried one message each and rest; KiB of the process "
        + "for both ends of one, and for the first connection of each of the others with what its node begins to use",
        "KiB", "KiB, first");

    /** Nodes of {@link #ALL_TO_ALL}. */
    static final int ALL = 4;
    /** Nodes of {@link #IDLE} that send requests to all others, one after another. */
    static final int IDLE_ASKERS = 4;

    private final String title;
    private final List<String> columns;

    NetMode(String title, String... columns) {
        this.title = title;
        this.columns = List.of(columns);
    }

    String title() {
        return title;
    }

    List<String> columns() {
        return columns;
    }

    /** Returns the number of nodes for a number of links. */
    int nodes(int links) {
        return switch (this) {
            case BOTH_WAYS -> 2;
            case ALL_TO_ALL -> ALL;
            case IDLE -> links + IDLE_ASKERS;
            case ROUND_TRIP, ONE_WAY -> links + 1;
        };
    }

    /** Whether the mode fixes the numbers of threads and links. */
    boolean isFixed() {
        return this == BOTH_WAYS || this == ALL_TO_ALL;
    }

    /** Returns the node from which a thread sends. */
    int from(int thread) {
        return this == BOTH_WAYS ? thread % 2 : this == ALL_TO_ALL ? thread % ALL : 0;
    }
}
