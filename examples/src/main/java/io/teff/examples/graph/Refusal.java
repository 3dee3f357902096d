package io.teff.examples.graph;

import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;

/** Turns a status into an exception, where the graph has no other use for it. */
final class Refusal {
    private Refusal() {}

    /** The exception for an operation that did not do its work. */
    static StoreException of(long status, String operation, long cid) {
        Category category = status == Status.FULL ? Category.DEGRADED : Category.FATAL;
        return new StoreException(category, operation + " of chunk " + Cid.toString(cid) + ": " + Status.name(status));
    }

    /** Passes any result on that is no status. */
    static long check(long result, String operation, long cid) {
        if (Status.isStatus(result)) {
            throw of(result, operation, cid);
        }
        return result;
    }
}
