package io.teff.examples.graph;

import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;

/** Converts a status into an exception. */
final class StatusCheck {
    private StatusCheck() {}

    /** Returns the exception for an operation that returned a status. */
    static StoreException of(long status, String operation, long cid) {
        Category category = status == Status.FULL ? Category.DEGRADED : Category.FATAL;
        return new StoreException(category, operation + " of chunk " + Cid.toString(cid) + ": " + Status.name(status));
    }

    /** Returns a result that is not a status, and throws otherwise. */
    static long check(long result, String operation, long cid) {
        if (Status.isStatus(result)) {
            throw of(result, operation, cid);
        }
        return result;
    }
}
