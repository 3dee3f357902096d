package io.teff.engine.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fault of the environment or of a damaged structure. Its {@link Category} determines how the caller can react. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Possible reactions of the caller. */
    public enum Category {
        /** Nothing was changed; the same call may succeed later. */
        RETRY,
        /** The store continues without the resource that failed, for example without memory beyond its limit. */
        DEGRADED,
        /** An invariant is broken or data is damaged; the store or file must not be used any more. */
        FATAL
    }

    /** Possible reaction of the caller. */
    private final Category category;
    /** Why an operation on a chunk was refused, or OK. */
    private final int status;

    /**
     * Makes an exception without a cause.
     *
     * @param category possible reaction of the caller
     * @param message what happened and where
     */
    public StoreException(Category category, String message) {
        this(category, message, null);
    }

    /**
     * Makes an exception.
     *
     * @param category possible reaction of the caller
     * @param message what happened and where
     * @param cause the cause, or null
     */
    public StoreException(Category category, String message, @Nullable Throwable cause) {
        this(category, message, cause, Status.OK);
    }

    private StoreException(Category category, String message, @Nullable Throwable cause, int status) {
        super(message, cause);
        this.category = Objects.requireNonNull(category);
        this.status = status;
    }

    /**
     * Makes an exception for an operation on a chunk that was refused.
     *
     * @param message which chunk, and why
     * @param status the reason as a status
     * @return an exception of category {@link Category#RETRY}
     */
    public static StoreException refused(String message, int status) {
        return new StoreException(Category.RETRY, message, null, status);
    }

    /**
     * Makes an exception for a broken invariant or damaged data.
     *
     * @param message what is broken and where
     * @return an exception of category {@link Category#FATAL}
     */
    public static StoreException fatal(String message) {
        return new StoreException(Category.FATAL, message);
    }

    /**
     * Returns the possible reaction of the caller.
     *
     * @return the category
     */
    public Category category() {
        return category;
    }

    /**
     * Returns why an operation on a chunk was refused.
     *
     * @return a constant of {@link Status}; OK if the exception has another reason
     */
    public int status() {
        return status;
    }
}
