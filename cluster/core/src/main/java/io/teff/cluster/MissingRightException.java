package io.teff.cluster;

import java.io.Serial;

/**
 * A cluster with roles has refused a call, because the principal of this process lacks the right. Nothing was done, and
 * the call was not repeated. The text names the principal, the right, and the roles with the right.
 */
public final class MissingRightException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /** The name of the principal. */
    private final String principal;
    /** The right that the principal lacks. */
    private final String right;
    /** The roles with the right. */
    private final String roles;

    /**
     * Makes an exception.
     *
     * @param principal name of the principal
     * @param right what the principal may not do, as in "change the collection accounts"
     * @param roles roles with the right, as in "writer or admin"
     */
    public MissingRightException(String principal, String right, String roles) {
        super("the principal " + principal + " may not " + right + ": the role " + roles + " may");
        this.principal = principal;
        this.right = right;
        this.roles = roles;
    }

    /** {@return the name of the principal of this process} */
    public String principal() {
        return principal;
    }

    /** {@return what the principal may not do} */
    public String right() {
        return right;
    }

    /** {@return the roles with the right} */
    public String roles() {
        return roles;
    }
}
