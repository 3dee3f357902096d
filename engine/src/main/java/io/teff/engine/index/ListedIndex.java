package io.teff.engine.index;

/**
 * An index as the catalogue lists it.
 *
 * @param name name of the index in its map
 * @param fields names and types of the fields, in order
 * @param isUnique whether no two entries have equal fields
 * @param isReady whether the index contains all entries; an index that is not ready is being built or dropped
 * @param root CID of the root of the sorted map that has the places of the entries
 */
public record ListedIndex(String name, String fields, boolean isUnique, boolean isReady, long root) {
    /**
     * Returns the same index, ready or not.
     *
     * @param isNowReady whether the index contains all entries
     * @return the index
     */
    public ListedIndex ready(boolean isNowReady) {
        return new ListedIndex(name, fields, isUnique, isNowReady, root);
    }

    @Override
    public String toString() {
        return "'" + name + "' (" + fields + (isUnique ? ", unique)" : ")");
    }
}
