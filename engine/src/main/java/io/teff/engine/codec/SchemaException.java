package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** A type from which no schema can be derived, or two schemas that do not match; the message names the field. */
public final class SchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message path of the field, a colon, and the fault
     * @param cause the cause, or null
     */
    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
