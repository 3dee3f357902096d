package io.teff.engine.raw;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The collections of any store in this process as collections of bytes, for copying between stores. The class of names
 * registers here when it is initialized, because its package is exported to every module. Thread-safe.
 */
public interface RawCopying extends RawMaps.Source, RawCollections.Source {
    /** The way to the class of names. */
    final class Door {
        private static volatile @Nullable Function<Object, RawCopying> reader;

        private Door() {}

        /**
         * Registers the function that returns the collections of names. Called once.
         *
         * @param function returns the collections
         */
        public static void openBy(Function<Object, RawCopying> function) {
            reader = function;
        }
    }

    /**
     * Returns the collections of a store.
     *
     * @param names {@code names()} of a store in this process, or of a view of a zone
     * @return its collections
     */
    static RawCopying of(Object names) {
        return Objects.requireNonNull(Door.reader).apply(names);
    }

    /**
     * Returns the length of the keys of a hash map, or of the elements of a hash set.
     *
     * @param root CID of the root
     * @return the length in bytes, or -1 if the length varies
     */
    int keyBytes(long root);

    /** Removes all names and all collections. What is left are the other chunks. No other thread may use the names. */
    void clear();
}
