package io.teff.engine.check;

import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.table.CidLayout;
import java.util.NoSuchElementException;

/** Converts the statuses of operations on chunks to exceptions. Thread-safe. */
public final class Refusals {
    private Refusals() {}

    /**
     * Throws the exception for a status, or returns the result.
     *
     * @param cid the chunk
     * @param result result of an operation
     * @return the result, if it is not a status
     * @throws NoSuchElementException for ABSENT
     * @throws StoreException of category DEGRADED for FULL, RETRY for any other status
     */
    public static long check(long cid, long result) {
        if (Status.isStatus(result)) {
            throw result == Status.FULL ? full() : of(cid, result);
        }
        return result;
    }

    /**
     * Returns the exception for a status other than FULL.
     *
     * @param cid the chunk
     * @param status result of the refused operation
     * @return the exception for the caller to throw: {@link NoSuchElementException} for ABSENT, else
     *     {@link StoreException} of category RETRY
     */
    public static RuntimeException of(long cid, long status) {
        final String chunk = "chunk " + CidLayout.toString(cid);
        return status == Status.ABSENT ? new NoSuchElementException(chunk + " does not exist")
            : StoreException.refused(chunk + " refused: " + Status.name(status), (int) status);
    }

    private static StoreException full() {
        return new StoreException(Category.DEGRADED, "the memory limit is reached");
    }
}
