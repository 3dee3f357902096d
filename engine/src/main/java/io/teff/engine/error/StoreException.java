package io.teff.engine.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fault that the environment or a damaged structure caused; its {@link Category} says what to do next. */
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the caller can do. */
    public enum Category {
        /** Nothing was changed; the same call may succeed later. */
        RETRY,
        /** The store goes on without the part that failed, for example without memory beyond its limit. */
        DEGRADED,
        /** An invariant is broken or data is damaged; the store or file must not be used further. */
        FATAL
    }

    /** What the caller can do. */
    private final Category category;

    /**
     * Makes an exception without a cause.
     *
     * @param category what the caller can do
     * @param message what happened and where
     */
    public StoreException(Category category, String message) {
        this(category, message, null);
    }

    /**
     * Makes an exception.
     *
     * @param category what the caller can do
     * @param message what happened and where
     * @param cause what caused it, or null
     */
    public StoreException(Category category, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.category = Objects.requireNonNull(category);
    }

    /**
     * Makes the exception for a broken invariant or damaged data.
     *
     * @param message what is broken and where
     * @return an exception of category {@link Category#FATAL}
     */
    public static StoreException fatal(String message) {
        return new StoreException(Category.FATAL, message);
    }

    /**
     * Tells what the caller can do.
     *
     * @return the category
     */
    public Category category() {
        return category;
    }
}
