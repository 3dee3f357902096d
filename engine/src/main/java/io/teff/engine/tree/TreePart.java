package io.teff.engine.tree;

/**
 * A part of a sorted map, upwards or downwards.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class TreePart<K, V> extends TreeRange<K, V> {
    private final ChunkTreeMap<K, V> map;

    TreePart(ChunkTreeMap<K, V> map, Bounds<K> bounds, boolean isUpwards) {
        super(bounds, isUpwards);
        this.map = map;
    }

    @Override
    ChunkTreeMap<K, V> map() {
        return map;
    }
}
