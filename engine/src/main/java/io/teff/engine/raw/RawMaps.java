package io.teff.engine.raw;

import org.jspecify.annotations.Nullable;

/** The maps of a zone by name and by root, as maps of bytes. Thread-safe. */
public interface RawMaps {
    /** A view of a zone that has such maps. */
    interface Source {
        /** {@return the maps of the zone} */
        RawMaps rawMaps();
    }

    /**
     * Returns the maps of a zone.
     *
     * @param view view of a zone of a store in this process
     * @return its maps
     * @throws IllegalArgumentException if the store is of another kind
     */
    static RawMaps of(Object view) {
        if (view instanceof Source source) {
            return source.rawMaps();
        }
        throw new IllegalArgumentException("view=" + view + " is no view of a zone");
    }

    /**
     * Opens a map, or makes an empty map. Takes about 0.1 s per million entries of a map that is not open.
     *
     * @param name name of the map in the zone
     * @param keys description of the codec of the keys
     * @param values description of the codec of the values
     * @param keyBytes length of each key, or -1 if the length varies
     * @return the map, always the same object
     * @throws IllegalArgumentException if the name belongs to something else
     * @throws io.teff.engine.error.StoreException of category DEGRADED if there is no memory
     */
    RawMap open(String name, String keys, String values, int keyBytes);

    /**
     * Drops a map with its entries. Takes time in proportion to the entries.
     *
     * @param name name of the map in the zone
     * @return CID of the root of the map; 0 if there is no such map, or another thread is dropping the map
     */
    long drop(String name);

    /** {@return the roots of all hash maps with a name, in any order} */
    long[] roots();

    /**
     * Opens the map with a root. Takes as long as {@link #open}.
     *
     * @param root any CID
     * @return the map, or null if no map of the zone has this root
     */
    @Nullable RawMap at(long root);
}
