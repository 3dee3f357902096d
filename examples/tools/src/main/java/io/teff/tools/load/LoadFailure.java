package io.teff.tools.load;

/** The store returned a wrong result; the message names the operation, the chunk, and how to reproduce it. */
public final class LoadFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Creates a failure with a message for the user of the command. */
    public LoadFailure(String message) {
        super(message);
    }
}
