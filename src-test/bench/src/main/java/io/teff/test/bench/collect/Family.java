package io.teff.test.bench.collect;

import java.util.List;

/** Structures for the same purpose, and their measurements, in the order of a table. */
public enum Family {
    /** Hash maps. */
    MAP("hash maps of long to 32 bytes", "B/entry", "fill", "fill 2", "fill cpu", "load", "load cpu", "get",
        "get 64", "put", "compute", "keys", "entries", "remove"),
    /** Sorted maps. */
    SORTED("sorted maps of long to 32 bytes", "B/entry", "fill", "fill 2", "fill cpu", "get", "get 64", "put",
        "compute", "ceiling", "range", "range fast", "keys", "entries", "remove"),
    /** Sets. */
    SET("sets of long", "B/entry", "fill", "fill cpu", "contains", "add+remove", "iterate", "remove"),
    /** Lists. */
    LIST("lists of long", "B/entry", "fill", "fill cpu", "get", "iterate", "remove"),
    /** Queues. */
    QUEUE("queues of long", "B/entry", "fill", "fill cpu", "offer+poll", "remove"),
    /** Waits while a map grows. */
    GROWTH("growth of a hash map at a fixed rate", "p50", "p99", "p99.9", "p99.99", "max", "idle p50", "idle p99.9",
        "idle max", "gc max", "gc sum", "B alloc");

    private final String title;
    private final List<String> columns;

    Family(String title, String... columns) {
        this.title = title;
        this.columns = List.of(columns);
    }

    String title() {
        return title;
    }

    List<String> columns() {
        return columns;
    }

    /** Returns the unit of the figures. */
    String unit() {
        return this == GROWTH ? "us that inserts waited, collector pauses in ms, bytes allocated per insert"
            : "million operations, or entries of a walk, per second";
    }

    /** Returns the name of the figure that a column shows. */
    static String figure(String column) {
        return switch (column) {
            case "B/entry" -> "bytes";
            case "B alloc" -> "allocated bytes";
            case "gc max", "gc sum" -> column.replace("gc", "gc pause") + " ms";
            case String percentile when percentile.matches("p[0-9.]+|max") -> "growth " + percentile + " us";
            case String percentile when percentile.startsWith("idle ") -> percentile + " us";
            default -> column;
        };
    }
}
