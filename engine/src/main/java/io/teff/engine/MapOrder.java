package io.teff.engine;

import io.teff.engine.collect.NamedComparator;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The order with which a program opens a sorted map: the natural order of the codec's bytes, or the order of a
 * comparator. A map keeps the name of the comparator. In maps of earlier versions, and of stores in memory, the name
 * may be missing.
 *
 * @param comparator order of the keys, or null for the order of the codec's bytes
 * @param name name of the comparator; empty if there is none
 */
record MapOrder(@Nullable Comparator<?> comparator, String name) {
    static MapOrder of(@Nullable Comparator<?> comparator) {
        String known = comparator == null ? null : NamedComparator.nameOf(comparator);
        return new MapOrder(comparator, known == null ? "" : known);
    }

    private String describe() {
        return comparator == null ? "the order of the keys' bytes"
            : name.isEmpty() ? comparator + ", which has no name" : "'" + name + "'";
    }

    /** Refuses this order for a map with the name of another order. */
    void requireStored(String map, String stored) {
        if (!stored.isEmpty() && comparator != null && !stored.equals(name)) {
            throw new IllegalArgumentException("the sorted map " + map + " has the order '" + stored
                + "', so it cannot be opened with the comparator " + describe());
        }
    }

    /** Refuses a comparator without a name for a new map of a store that is kept. */
    void requireName(String map) {
        if (comparator != null && name.isEmpty()) {
            throw new IllegalArgumentException("the sorted map " + map + " cannot be made with the comparator "
                + describe() + ": after a restart the store could not tell it from another one. Give it a name by "
                + "NamedComparator.of(name, comparator)");
        }
    }

    /** Refuses this order for a map that is open in another order. */
    void requireOpen(String map, @Nullable Comparator<?> opened) {
        MapOrder other = of(opened);
        if (!Objects.equals(comparator, opened) && (name.isEmpty() || !name.equals(other.name))) {
            throw new IllegalArgumentException("the sorted map " + map + " is open with " + other.describe()
                + ", so it cannot be opened with " + describe());
        }
    }

    /** Returns the reason why the keys of a map may appear as damaged, for messages. */
    String doubt() {
        return comparator == null ? "" : "; perhaps " + describe() + " is not the order with which the map was made";
    }
}
