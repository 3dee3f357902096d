package io.teff.test.bench.grid;

import io.teff.test.bench.store.Named;

/** The measured operations, on random keys. */
enum GridOp implements Named {
    /** A value is read. */
    GET("get", 1),
    /** A value is replaced; the value before is not returned. */
    PUT("put", 1),
    /** Values are read by one call. */
    GET_ALL("getAll of 64", GridOp.BATCH),
    /** Values are replaced by one call. */
    PUT_ALL("putAll of 64", GridOp.BATCH),
    /** A number in a value is raised at its owner, and returned: an entry processor, {@code invoke}, or a function. */
    ADD("atomic add", 1),
    /** An element is added to a queue, and one is taken. */
    QUEUE("offer and poll", 2),
    /** All entries of the map are walked by one thread; their number is that of the plan. */
    SCAN("scan", 1);

    static final int BATCH = 64;

    private final String title;
    private final int entries;

    GridOp(String title, int entries) {
        this.title = title;
        this.entries = entries;
    }

    String title() {
        return title;
    }

    /** Returns the number of entries of one call, if there are so many in the map. */
    int entries(int all) {
        return this == SCAN ? all : entries;
    }

    /** Returns whether the operation is measured with a number of threads, of which this is the first, or not. */
    boolean isMeasured(boolean isFirst) {
        return this != SCAN || isFirst;
    }
}
