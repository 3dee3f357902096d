package io.teff.cluster.consensus;

/** A member cannot propose, because another member leads, or no member leads. The caller asks the leading member. */
public final class NotLeadingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception. */
    public NotLeadingException() {
        super("this superpeer does not lead");
    }
}
