package io.teff.engine.chunk;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the package of offers access to a store, as {@link ZoneDoor} gives it to the package of zones. Thread-safe.
 */
public final class OfferDoor {
    private static volatile @Nullable Function<Object, ChunkSpace> reader;

    private OfferDoor() {}

    /**
     * Registers the function that returns the components of a store. Called once, by the initializer of the class of
     * stores.
     *
     * @param function returns the components
     */
    public static void openBy(Function<Object, ChunkSpace> function) {
        reader = function;
    }

    /**
     * Returns the components of a store.
     *
     * @param store a store of this engine
     * @return its components
     */
    public static ChunkSpace spaceOf(Object store) {
        return Objects.requireNonNull(reader).apply(store);
    }
}
