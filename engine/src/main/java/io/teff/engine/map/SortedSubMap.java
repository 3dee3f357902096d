package io.teff.engine.map;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A submap of a sorted map, upwards or downwards. A key outside its bounds is absent, and putting it is refused.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class SortedSubMap<K, V> extends SortedMapRange<K, V> {
    private final SortedMapRange<K, V> map;

    SortedSubMap(SortedMapRange<K, V> map, KeyBounds<K> bounds, boolean isUpwards) {
        super(bounds, isUpwards);
        this.map = map;
    }

    @Override
    protected SortedMapRange<K, V> whole() {
        return map;
    }

    @Override
    protected Comparator<K> keyOrder() {
        return map.keyOrder();
    }

    @Override
    protected @Nullable Comparator<? super K> wholeComparator() {
        return map.wholeComparator();
    }

    @Override
    protected EntryCursor<K, V> walk(KeyBounds<K> shown, boolean upwards, boolean hasValues) {
        return map.walk(shown, upwards, hasValues);
    }

    @Override
    protected EntryRange<K, V> walks(KeyBounds<K> shown, boolean upwards, boolean hasValues) {
        return map.walks(shown, upwards, hasValues);
    }

    @Override
    protected long count(KeyBounds<K> shown) {
        return map.count(shown);
    }

    @Override
    protected void beginCall() {
        map.beginCall();
    }

    @Override
    protected void endCall() {
        map.endCall();
    }

    @Override
    protected void check() {
        map.check();
    }

    @SuppressWarnings("unchecked")
    private boolean has(Object key) {
        return bounds().has(map.keyOrder(), (K) Objects.requireNonNull(key));
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
        return map.count(bounds());
    }

    @Override
    public boolean isEmpty() {
        try (EntryCursor<K, V> walk = range(false).cursor()) {
            return !walk.next();
        }
    }

    @Override
    public void clear() {
        map.clear(bounds());
    }
}
