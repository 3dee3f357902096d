package io.teff.test.bench.durable;

import io.teff.test.bench.store.Named;

/** The step of one process. A restart needs several. */
enum DurableStep implements Named {
    /** All measurements of a shape. */
    MEASURE,
    /** Fills a store and closes it. */
    FILL,
    /** Opens a closed store and reads every entry. */
    REOPEN,
    /** Fills a store, reports that, and overwrites until it is killed. */
    FILL_FOR_EVER,
    /** Opens the store of a killed process and reads every entry. */
    REOPEN_KILLED
}
