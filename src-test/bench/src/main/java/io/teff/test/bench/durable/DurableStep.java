package io.teff.test.bench.durable;

import io.teff.test.bench.store.Named;

/** What one process does. A restart needs several. */
enum DurableStep implements Named {
    /** Everything of a shape. */
    MEASURE,
    /** Fills a store and closes it. */
    FILL,
    /** Opens what was closed and reads all of it. */
    REOPEN,
    /** Fills a store, says that it is filled, and overwrites until it is killed. */
    FILL_FOR_EVER,
    /** Opens what was killed and reads all of it. */
    REOPEN_KILLED
}
