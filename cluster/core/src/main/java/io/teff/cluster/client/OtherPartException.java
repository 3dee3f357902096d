package io.teff.cluster.client;

import io.teff.cluster.collect.RangeState;
import java.io.Serial;

/** The keys of a request are not in the part of a sorted map that got the request. Has no stack trace. */
final class OtherPartException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient RangeState part;

    OtherPartException(RangeState part) {
        super("the keys are in another part of the sorted map", null, false, false);
        this.part = part;
    }

    /** Returns the bounds of the part. */
    RangeState part() {
        return part;
    }
}
