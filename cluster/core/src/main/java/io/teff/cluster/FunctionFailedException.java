package io.teff.cluster;

import java.io.Serial;

/**
 * A registered function has failed at the owner of an entry: the function has thrown, has taken too long, or has made a
 * result or a value that is too long. The entry is as it was, and stays so: the call is not sent again.
 */
public final class FunctionFailedException extends RuntimeException {
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
    public FunctionFailedException(String function, String message) {
        super(message);
        this.function = function;
    }

    /** {@return the name of the function} */
    public String function() {
        return function;
    }
}
