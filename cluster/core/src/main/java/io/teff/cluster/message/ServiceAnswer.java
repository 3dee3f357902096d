package io.teff.cluster.message;

import io.teff.cluster.registry.RegistryResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A superpeer's answer to a client.
 *
 * @param code a code of {@link RegistryResult}, or one of the codes below
 * @param first a number
 * @param second a number
 * @param rows names, changes or values
 */
public record ServiceAnswer(int code, long first, long second, List<Row> rows) {
    /** Nothing was done: the superpeer does not lead. */
    public static final int NOT_LEADING = -1;
    /** Nothing was done: the superpeer has as many steps under way as it takes. */
    public static final int OVERLOADED = -2;
    /** The time of a wait is over. */
    public static final int WAITED = -3;
    /** Changes may be missing. First: the present revision. */
    public static final int GAP = -4;

    /** The superpeer has lost its leadership: the step may have been done or not. */
    public static final int UNKNOWN = -5;

    /** Copies the list. */
    public ServiceAnswer {
        rows = List.copyOf(rows);
    }

    /**
     * {@return an answer without content}
     *
     * @param code one of the codes above
     */
    public static ServiceAnswer of(int code) {
        return new ServiceAnswer(code, 0, 0, List.of());
    }

    /**
     * {@return an answer with the result of a step}
     *
     * @param result of the step
     */
    public static ServiceAnswer of(RegistryResult result) {
        return new ServiceAnswer(result.code(), result.first(), result.second(), List.of());
    }

    /**
     * A name, a change of a name, or a value.
     *
     * @param name the name, or empty
     * @param value the value; null if the name was removed
     * @param version of the name, or revision of the change
     * @param flags 1 if the name is bound to a session, and 2 if it has a time to live
     */
    public record Row(String name, byte @Nullable [] value, long version, int flags) {}
}
