package io.teff.engine.os;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The platform that a store runs on, and two sizes that only tests change.
 *
 * <p>They are part of a store's configuration, whose class is exported to all modules, while the types here are not.
 * Therefore the configuration has no public method for them: it registers a function when its class is initialized,
 * and {@link #of} calls that.
 *
 * @param platform the clock, threads, random numbers and disk of the store
 * @param stripes number of stripes
 * @param defragSlackBytes slack that starts the background defragmentation, in bytes; -1 for a share of the store's
 *     memory
 */
public record StoreSeams(Platform platform, int stripes, long defragSlackBytes) {
    private static volatile @Nullable Function<Object, StoreSeams> reader;

    /**
     * Registers the function that reads the seams of a configuration. Called once, by the configuration's class.
     *
     * @param function takes a configuration
     */
    public static void readBy(Function<Object, StoreSeams> function) {
        reader = function;
    }

    /**
     * Returns the seams of a configuration.
     *
     * @param config a {@code StoreConfig}
     * @return its seams
     */
    public static StoreSeams of(Object config) {
        return Objects.requireNonNull(reader, "no configuration is initialized").apply(config);
    }
}
