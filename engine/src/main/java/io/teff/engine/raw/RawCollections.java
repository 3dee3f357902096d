package io.teff.engine.raw;

import org.jspecify.annotations.Nullable;

/**
 * The queues, lists and sorted maps of a zone by name and by root, as collections of bytes. Each method returns the
 * same object for one collection. Opening a collection reads all of its chunks: about 0.1 s per million elements.
 * Thread-safe.
 */
public interface RawCollections {
    /** A view of a zone that has such collections. */
    interface Source {
        /** {@return the collections of the zone} */
        RawCollections rawCollections();
    }

    /**
     * Returns the collections of a zone.
     *
     * @param view view of a zone of a store in this process
     * @return its collections
     * @throws IllegalArgumentException if the store is of another kind
     */
    static RawCollections of(Object view) {
        if (view instanceof Source source) {
            return source.rawCollections();
        }
        throw new IllegalArgumentException("view=" + view + " is no view of a zone");
    }

    /**
     * Opens a queue, or makes an empty queue.
     *
     * @param name name of the queue in the zone
     * @param elements description of the codec of the elements
     * @return the queue
     * @throws IllegalArgumentException if the name belongs to something else
     * @throws io.teff.engine.error.StoreException of category DEGRADED if there is no memory
     */
    RawCollection queue(String name, String elements);

    /**
     * Opens a list, or makes an empty list.
     *
     * @param name name of the list in the zone
     * @param elements description of the codec of the elements
     * @return the list
     * @throws IllegalArgumentException if the name belongs to something else
     * @throws io.teff.engine.error.StoreException of category DEGRADED if there is no memory
     */
    RawCollection list(String name, String elements);

    /**
     * Opens a sorted map, or makes an empty sorted map.
     *
     * @param name name of the map in the zone
     * @param keys description of the codec of the keys
     * @param values description of the codec of the values
     * @param order name of the order; empty for the order of the keys' bytes
     * @return the map
     * @throws IllegalArgumentException if the name belongs to something else, or the order needs classes of the
     *     application
     * @throws io.teff.engine.error.StoreException of category DEGRADED if there is no memory
     */
    RawCollection sortedMap(String name, String keys, String values, String order);

    /**
     * Opens the queue, list or sorted map with a root.
     *
     * @param root any CID
     * @return the collection, or null if no such collection of the zone has this root
     * @throws IllegalArgumentException if the order of a sorted map needs classes of the application
     */
    @Nullable RawCollection at(long root);
}
