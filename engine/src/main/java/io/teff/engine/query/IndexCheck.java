package io.teff.engine.query;

import io.teff.engine.error.StoreException;
import java.util.Arrays;
import java.util.Map;

/** Compares an index with its map, while no entry changes. */
final class IndexCheck<K, V> {
    private final MapIndexes<K, V> indexes;
    private final IndexTree<V> tree;
    private final RowBuffers<V> buffers;

    IndexCheck(MapIndexes<K, V> indexes, IndexTree<V> tree) {
        this.indexes = indexes;
        this.tree = tree;
        this.buffers = new RowBuffers<>(indexes.map().valueCodec());
    }

    /** Throws unless the index has one place for each entry, and no other places. */
    void check() {
        for (Map.Entry<byte[], byte[]> place : tree.places().entrySet()) {
            if (!isOfAnEntry(place)) {
                throw damaged("has a place whose entry has other fields, or is gone");
            }
        }
        if (tree.places().longSize() != indexes.map().longSize()) {
            throw damaged("has " + tree.places().longSize() + " places for " + indexes.map().longSize() + " entries");
        }
    }

    /**
     * Removes the places of changes that a snapshot has interrupted: a snapshot of a store in memory is taken between
     * any two changes of chunks. Each entry has a place at each moment, so equal numbers suffice.
     */
    void repair() {
        for (Map.Entry<byte[], byte[]> place : tree.places().entrySet()) {
            if (!isOfAnEntry(place)) {
                tree.places().delete(place.getKey());
            }
        }
        if (tree.places().longSize() != indexes.map().longSize()) {
            throw damaged("has " + tree.places().longSize() + " places for " + indexes.map().longSize() + " entries");
        }
    }

    private boolean isOfAnEntry(Map.Entry<byte[], byte[]> place) {
        byte[] key = tree.keyArray(place.getKey(), place.getValue());
        byte[] value = indexes.raw().get(indexes.entryKeys().read(key, tree.keyFrom(place.getKey())));
        return value != null && Arrays.equals(tree.fields(place.getKey()), tree.sortKey()
            .write(buffers.row.set(value, 0, value.length), buffers.key).toByteArray());
    }

    private StoreException damaged(String what) {
        return StoreException.fatal("the index '" + tree.name() + "' of the map " + indexes.mapName() + " " + what);
    }
}
