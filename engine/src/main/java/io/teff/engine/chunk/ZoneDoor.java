package io.teff.engine.chunk;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the package of zones access to a store. That package is not exported to applications, the class of stores is:
 * a public method there would show every application what it cannot use. Therefore the class of stores registers a
 * function here when it is initialized. Thread-safe.
 */
public final class ZoneDoor {
    private static volatile @Nullable Function<Object, ZoneSpace> reader;

    private ZoneDoor() {}

    /**
     * Registers the function that returns the zones of a store. Called once, by the initializer of the class of stores.
     *
     * @param function returns the zones
     */
    public static void openBy(Function<Object, ZoneSpace> function) {
        reader = function;
    }

    /**
     * Returns the zones of a store.
     *
     * @param store a store of this engine
     * @return its zones
     */
    public static ZoneSpace zonesOf(Object store) {
        return Objects.requireNonNull(reader).apply(store);
    }
}
