package io.teff.cluster;

import java.io.Serial;

/**
 * The owner of an entry has no function of the name of a call on its class path. The entry is as it was. The call is
 * not sent again; a later call may meet another owner, which has the function.
 */
public final class UnknownFunctionException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Name of the function, as the call has it. */
    private final String function;

    /**
     * Makes an exception.
     *
     * @param function name of the function
     * @param message naming the function, and what has happened
     */
    public UnknownFunctionException(String function, String message) {
        super(message);
        this.function = function;
    }

    /** {@return the name of the function} */
    public String function() {
        return function;
    }
}
