package io.teff.cluster.cell;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.net.message.DeniedException;
import org.jspecify.annotations.Nullable;

/** Finds refusals for want of a right among the failures of requests. */
public final class Denials {
    private Denials() {}

    /**
     * Returns the refusal of a request.
     *
     * @param failure of the request, or null
     * @return the exception for the caller; null for any other failure, also for a limit, which is over soon
     */
    public static @Nullable MissingRightException in(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof MissingRightException missing) {
                return missing;
            }
            if (each instanceof DeniedException denied) {
                return denied.isLimit() ? null
                    : new MissingRightException(denied.principal(), denied.right(), denied.roles());
            }
        }
        return null;
    }
}
