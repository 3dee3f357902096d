package io.teff.tools.load;

/** The store returned what it must not; the message says what, where, and how to see it again. */
public final class LoadFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A failure with a message for the person who runs the load. */
    public LoadFailure(String message) {
        super(message);
    }
}
