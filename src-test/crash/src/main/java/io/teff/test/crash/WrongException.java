package io.teff.test.crash;

/** Ends a thread that has found a violation. */
final class WrongException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Wrong wrong;

    WrongException(Wrong wrong) {
        super(wrong.toString());
        this.wrong = wrong;
    }

    Wrong wrong() {
        return wrong;
    }
}
