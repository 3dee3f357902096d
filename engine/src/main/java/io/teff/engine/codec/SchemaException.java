package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** A type for which no schema can be made, or two schemas that do not go together; the message names the field. */
public final class SchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message path of the field and what is wrong with it
     * @param cause why, or null
     */
    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
