package io.teff.engine.tree;

import io.teff.engine.map.EncodedBytes;
import io.teff.engine.map.EntryChange;
import io.teff.engine.map.Removal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A submap of a sorted map, upwards or downwards. A key outside its bounds is absent, and putting it is refused.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class TreeSubMap<K, V> extends TreeRange<K, V> {
    private final ChunkTreeMap<K, V> map;

    TreeSubMap(ChunkTreeMap<K, V> map, Bounds<K> bounds, boolean isUpwards) {
        super(bounds, isUpwards);
        this.map = map;
    }

    @Override
    ChunkTreeMap<K, V> map() {
        return map;
    }

    @Override
    protected void check() {
        map.check();
    }

    @SuppressWarnings("unchecked")
    private boolean has(Object key) {
        return bounds.has(map.order, (K) Objects.requireNonNull(key));
    }

    private void checkInside(Object key) {
        if (!has(key)) {
            throw new IllegalArgumentException("the key " + key + " is outside of this submap");
        }
    }

    @Override
    protected void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change) {
        if (isPut) {
            checkInside(key);
        }
        if (isPut || has(key)) {
            map.change(key, isPut, isAlways, change);
        }
    }

    @Override
    public @Nullable V get(Object key) {
        return has(key) ? map.get(key) : null;
    }

    @Override
    public boolean containsKey(Object key) {
        return has(key) && map.containsKey(key);
    }

    @Override
    public boolean set(K key, V value) {
        checkInside(key);
        return map.set(key, value);
    }

    @Override
    public boolean delete(K key) {
        return has(key) && map.delete(key);
    }

    @Override
    protected Removal removeShown(K key, EncodedBytes value) {
        return has(key) ? map.removeShown(key, value) : Removal.ABSENT;
    }

    @Override
    protected void encode(V value, EncodedBytes target) {
        map.encode(value, target);
    }

    @Override
    protected V decode(EncodedBytes value) {
        return map.decode(value);
    }

    /** Returns the number of entries, counted by a walk. */
    @Override
    public long longSize() {
        try (TreeEntries<K, V>.Walk walk = entries(false).cursor()) {
            return walk.count();
        }
    }

    @Override
    public boolean isEmpty() {
        try (TreeEntries<K, V>.Walk walk = entries(false).cursor()) {
            return !walk.next();
        }
    }

    @Override
    public void clear() {
        try (TreeEntries<K, V>.Walk walk = entries(false).cursor()) {
            while (walk.next()) {
                map.delete(walk.key());
            }
        }
    }
}
