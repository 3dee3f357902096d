package io.teff.cluster.net.message;

import java.io.Serial;

/**
 * A node has not done a request, because the principal of the caller lacks the right, or is over a limit. Nothing of
 * the request was done.
 */
public final class DeniedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;
    private static final char GAP = '\t';
    private static final int FIELDS = 3;

    /** The name of the principal. */
    private final String principal;
    /** The missing right, or the limit. */
    private final String right;
    /** The roles that have the right; empty for a limit. */
    private final String roles;

    /**
     * Makes an exception without a stack trace, so that a refusal costs the refusing node next to nothing.
     *
     * @param principal name of the principal
     * @param right what the principal may not do, as in "write to the collection accounts"; or its limit
     * @param roles roles that have the right; empty if the principal is over a limit
     */
    public DeniedException(String principal, String right, String roles) {
        super(roles.isEmpty() ? "the principal " + principal + " is over its limit of " + right
            : "the principal " + principal + " may not " + right + ": the role " + roles + " may", null, false,
            false);
        this.principal = principal;
        this.right = right;
        this.roles = roles;
    }

    /**
     * Makes the exception of a request that another node has refused.
     *
     * @param text from {@link #text}
     * @return the exception
     */
    public static DeniedException of(String text) {
        final String[] fields = text.split(String.valueOf(GAP), FIELDS);
        return new DeniedException(fields[0], fields.length > 1 ? fields[1] : "do this",
            fields.length == FIELDS ? fields[2] : "of an administrator");
    }

    /** {@return the fields as one text, for a message} */
    public String text() {
        return principal + GAP + right + GAP + roles;
    }

    /** {@return the name of the principal} */
    public String principal() {
        return principal;
    }

    /** {@return what the principal may not do, or the limit} */
    public String right() {
        return right;
    }

    /** {@return the roles that have the right, with commas; empty if the principal is over a limit} */
    public String roles() {
        return roles;
    }

    /** {@return whether the principal has the right, and is over a limit now} */
    public boolean isLimit() {
        return roles.isEmpty();
    }
}
