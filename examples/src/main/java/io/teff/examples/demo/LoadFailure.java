package io.teff.examples.demo;

/** The store returned what it must not; the message says what, where, and how to see it again. */
final class LoadFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LoadFailure(String message) {
        super(message);
    }
}
