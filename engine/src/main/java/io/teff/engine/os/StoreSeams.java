package io.teff.engine.os;

import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The platform that a store runs on, and two sizes that only tests change.
 *
 * <p>They are part of a store's configuration, whose class is exported to all modules, while the types here are not.
 * Therefore the configuration has no public method for them: it registers functions when its class is initialized,
 * and {@link #of} and {@link #replaced} call these.
 *
 * @param platform the clock, threads, random numbers and disk of the store
 * @param stripes number of stripes
 * @param defragSlackBytes slack that starts the background defragmentation, in bytes; -1 for a share of the store's
 *     memory
 */
public record StoreSeams(Platform platform, int stripes, long defragSlackBytes) {
    private static volatile @Nullable Function<Object, StoreSeams> reader;
    private static volatile @Nullable BiFunction<Object, StoreSeams, Object> writer;

    /**
     * Registers the functions that read and replace the seams of a configuration. Called once, by the configuration's
     * class.
     *
     * @param reads takes a configuration
     * @param replaces takes a configuration and other seams, and returns one with these
     */
    public static void registerBy(Function<Object, StoreSeams> reads, BiFunction<Object, StoreSeams, Object> replaces) {
        reader = reads;
        writer = replaces;
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

    /**
     * Replaces the seams of a configuration.
     *
     * @param <C> {@code StoreConfig}
     * @param config the configuration
     * @param seams other seams
     * @return a configuration that differs in nothing else
     */
    @SuppressWarnings("unchecked")                              // its class returns an object of its own
    public static <C> C replaced(C config, StoreSeams seams) {
        return (C) Objects.requireNonNull(writer, "no configuration is initialized").apply(config, seams);
    }

    /**
     * Replaces the platform.
     *
     * @param value the platform to use
     * @return seams that differ in nothing else
     */
    public StoreSeams withPlatform(Platform value) {
        return new StoreSeams(value, stripes, defragSlackBytes);
    }
}
