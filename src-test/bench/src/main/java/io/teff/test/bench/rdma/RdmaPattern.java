package io.teff.test.bench.rdma;

import io.teff.test.bench.store.Named;
import java.util.ArrayList;
import java.util.List;

/** What is measured: who sends what to whom. */
enum RdmaPattern implements Named {
    /** A message there and one back. */
    PING_PONG("messages there and back, half of the time for both", Form.LATENCY),
    /** Messages in one direction. */
    BANDWIDTH("messages from one end to another", Form.RATE),
    /** Messages in both directions. */
    BOTH_WAYS("messages of two ends to each other, sum of both", Form.RATE),
    /** Bytes of a stream in one direction, written in pieces. */
    STREAM("pieces of a stream from one end to another", Form.RATE),
    /** Messages of some ends to one. */
    MANY_TO_ONE("messages of three ends to one, sum of all", Form.RATE),
    /** Messages of each end to all others. */
    ALL_TO_ALL("messages of each of four ends to all others, sum of all", Form.RATE),
    /** One read of the peer's memory after the other. */
    READ_LATENCY("reads of the peer's memory, one after the other", Form.LATENCY),
    /** One write to the peer's memory after the other. */
    WRITE_LATENCY("writes to the peer's memory, one after the other, until they are there", Form.LATENCY),
    /** One addition to the peer's memory after the other. */
    ATOMIC_LATENCY("8 bytes of the peer fetched and added to, one after the other", Form.LATENCY),
    /** Reads of the peer's memory. */
    READ_RATE("reads of the peer's memory, many under way", Form.RATE),
    /** Writes to the peer's memory. */
    WRITE_RATE("writes to the peer's memory, many under way", Form.RATE),
    /** Additions to the peer's memory. */
    ATOMIC_RATE("8 bytes of the peer fetched and added to, many under way", Form.RATE),
    /** A look at an empty queue of completions. */
    POLL("polls of an empty queue of completions", Form.POLL);

    /** The kinds of figures. */
    enum Form {
        /** Percentiles of single operations. */
        LATENCY("p50 us", "p90 us", "p99 us", "p99.9 us", "max us", "K/s", "alloc B"),
        /** Operations per second. */
        RATE("M/s", "MB/s", "cpu ns", "alloc B", "wire B"),
        /** Time of a call. */
        POLL("ns");

        private final List<String> columns;

        Form(String... columns) {
            this.columns = List.of(columns);
        }
    }

    /** Bytes of an atomic operation. */
    static final int ATOMIC_BYTES = Long.BYTES;

    private static final int MANY = 4;

    private final String title;
    private final Form form;

    RdmaPattern(String title, Form form) {
        this.title = title;
        this.form = form;
    }

    String title() {
        return title;
    }

    Form form() {
        return form;
    }

    List<String> columns() {
        return form.columns;
    }

    boolean isLatency() {
        return form == Form.LATENCY;
    }

    /** Whether the length of an operation is fixed. */
    boolean isFixed() {
        return isAtomic() || this == POLL;
    }

    boolean isAtomic() {
        return this == ATOMIC_LATENCY || this == ATOMIC_RATE;
    }

    boolean isRead() {
        return this == READ_LATENCY || this == READ_RATE;
    }

    boolean isWrite() {
        return this == WRITE_LATENCY || this == WRITE_RATE;
    }

    /** Whether the peer takes no part. */
    boolean isOneSided() {
        return isRead() || isWrite() || isAtomic();
    }

    /** Returns the number of ends. */
    int ends() {
        return this == MANY_TO_ONE || this == ALL_TO_ALL ? MANY : 2;
    }

    /** Returns the ends that one end begins operations towards. */
    int[] targets(int from) {
        return switch (this) {
            case POLL -> new int[0];
            case PING_PONG, BOTH_WAYS -> new int[] {1 - from};
            case MANY_TO_ONE -> from == 0 ? new int[0] : new int[] {0};
            case ALL_TO_ALL -> {
                final List<Integer> others = new ArrayList<>();
                for (int i = 1; i < MANY; i++) {
                    others.add((from + i) % MANY);
                }
                yield others.stream().mapToInt(Integer::intValue).toArray();
            }
            default -> from == 0 ? new int[] {1} : new int[0];
        };
    }
}
