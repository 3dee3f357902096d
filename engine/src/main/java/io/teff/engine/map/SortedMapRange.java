package io.teff.engine.map;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map, or a submap between two keys, upwards or downwards: everything that can be built on walks.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract class SortedMapRange<K, V> extends AtomicMap<K, V> implements ConcurrentNavigableMap<K, V> {
    private final KeyBounds<K> bounds;
    private final boolean isUpwards;

    /**
     * For subclasses.
     *
     * @param bounds what belongs to the range
     * @param isUpwards whether the range shows its lowest key first
     */
    protected SortedMapRange(KeyBounds<K> bounds, boolean isUpwards) {
        this.bounds = bounds;
        this.isUpwards = isUpwards;
    }

    /** {@return the whole map} */
    protected abstract SortedMapRange<K, V> whole();

    /** {@return the order of the whole map, also if this order is natural} */
    protected abstract Comparator<K> keyOrder();

    /** {@return the comparator of the whole map as {@link #comparator} defines it: null for the natural order} */
    protected abstract @Nullable Comparator<? super K> wholeComparator();

    /**
     * Begins a walk over the whole map within bounds.
     *
     * @param shown what is shown
     * @param upwards whether the lowest key is shown first
     * @param hasValues whether the walk reads values
     * @return the walk
     */
    protected abstract EntryCursor<K, V> walk(KeyBounds<K> shown, boolean upwards, boolean hasValues);

    /**
     * Returns entries of the whole map within bounds, for walks in parts.
     *
     * @param shown what is shown
     * @param upwards whether the lowest key is shown first
     * @param hasValues whether the walks read values
     * @return the entries
     */
    protected abstract EntryRange<K, V> walks(KeyBounds<K> shown, boolean upwards, boolean hasValues);

    /**
     * Counts entries of the whole map.
     *
     * @param shown bounds of what is counted
     * @return the number
     */
    protected abstract long count(KeyBounds<K> shown);

    /** {@return what belongs to this range} */
    protected final KeyBounds<K> bounds() {
        return bounds;
    }

    // ---- cursors ----

    /** Returns a walk from a key, or from the end of the range, forwards or backwards in the order of this range. */
    private EntryCursor<K, V> from(@Nullable K key, boolean isKeyIn, boolean forwards, boolean hasValues) {
        boolean upwards = forwards == isUpwards;
        KeyBounds<K> shown = key == null ? bounds : upwards ? bounds.withLow(keyOrder(), key, isKeyIn)
            : bounds.withHigh(keyOrder(), key, isKeyIn);
        return whole().walk(shown, upwards, hasValues);
    }

    private @Nullable Entry<K, V> nearEntry(@Nullable K key, boolean isKeyIn, boolean forwards) {
        try (EntryCursor<K, V> cursor = from(key, isKeyIn, forwards, true)) {
            return cursor.next() ? new SimpleImmutableEntry<>(cursor.key(), cursor.value()) : null;
        }
    }

    private @Nullable K nearKey(@Nullable K key, boolean isKeyIn, boolean forwards) {
        try (EntryCursor<K, V> cursor = from(key, isKeyIn, forwards, false)) {
            return cursor.next() ? cursor.key() : null;
        }
    }

    // ---- navigation ----

    @Override
    public final @Nullable Comparator<? super K> comparator() {
        Comparator<? super K> given = wholeComparator();
        if (isUpwards) {
            return given;
        }
        return given != null ? given.reversed() : keyOrder().reversed();
    }

    @Override
    public final @Nullable Entry<K, V> lowerEntry(K key) {
        return nearEntry(Objects.requireNonNull(key), false, false);
    }

    @Override
    public final @Nullable K lowerKey(K key) {
        return nearKey(Objects.requireNonNull(key), false, false);
    }

    @Override
    public final @Nullable Entry<K, V> floorEntry(K key) {
        return nearEntry(Objects.requireNonNull(key), true, false);
    }

    @Override
    public final @Nullable K floorKey(K key) {
        return nearKey(Objects.requireNonNull(key), true, false);
    }

    @Override
    public final @Nullable Entry<K, V> ceilingEntry(K key) {
        return nearEntry(Objects.requireNonNull(key), true, true);
    }

    @Override
    public final @Nullable K ceilingKey(K key) {
        return nearKey(Objects.requireNonNull(key), true, true);
    }

    @Override
    public final @Nullable Entry<K, V> higherEntry(K key) {
        return nearEntry(Objects.requireNonNull(key), false, true);
    }

    @Override
    public final @Nullable K higherKey(K key) {
        return nearKey(Objects.requireNonNull(key), false, true);
    }

    @Override
    public final @Nullable Entry<K, V> firstEntry() {
        return nearEntry(null, true, true);
    }

    @Override
    public final @Nullable Entry<K, V> lastEntry() {
        return nearEntry(null, true, false);
    }

    @Override
    public final K firstKey() {
        return present(nearKey(null, true, true));
    }

    @Override
    public final K lastKey() {
        return present(nearKey(null, true, false));
    }

    private K present(@Nullable K key) {
        if (key == null) {
            throw new NoSuchElementException("the map is empty");
        }
        return key;
    }

    @Override
    public final @Nullable Entry<K, V> pollFirstEntry() {
        return whole().poll(bounds, isUpwards);
    }

    @Override
    public final @Nullable Entry<K, V> pollLastEntry() {
        return whole().poll(bounds, !isUpwards);
    }

    /**
     * Removes the first entry of the whole map within bounds.
     *
     * @param shown bounds of the entry
     * @param upwards whether the lowest entry is removed
     * @return the entry, or null if there is none
     */
    protected @Nullable Entry<K, V> poll(KeyBounds<K> shown, boolean upwards) {
        for (;;) {
            final K key;
            try (EntryCursor<K, V> cursor = walk(shown, upwards, false)) {
                if (!cursor.next()) {
                    return null;
                }
                key = cursor.key();
            }
            V value = remove(key);
            if (value != null) {
                return new SimpleImmutableEntry<>(key, value);
            }
        }
    }

    /**
     * Removes entries of the whole map.
     *
     * @param shown bounds of what is removed
     */
    protected void clear(KeyBounds<K> shown) {
        try (EntryCursor<K, V> walk = walks(shown, true, false).cursor()) {
            while (walk.next()) {
                delete(walk.key());
            }
        }
    }

    // ---- submaps ----

    private ConcurrentNavigableMap<K, V> part(@Nullable K from, boolean isFromIn, @Nullable K end, boolean isEndIn) {
        return new SortedSubMap<>(whole(), isUpwards ? bounds.inside(keyOrder(), from, isFromIn, end, isEndIn)
            : bounds.inside(keyOrder(), end, isEndIn, from, isFromIn), isUpwards);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> subMap(K from, boolean isFromIn, K end, boolean isEndIn) {
        return part(Objects.requireNonNull(from), isFromIn, Objects.requireNonNull(end), isEndIn);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> subMap(K from, K end) {
        return subMap(from, true, end, false);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> headMap(K end, boolean isEndIn) {
        return part(null, true, Objects.requireNonNull(end), isEndIn);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> headMap(K end) {
        return headMap(end, false);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> tailMap(K from, boolean isFromIn) {
        return part(Objects.requireNonNull(from), isFromIn, null, true);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> tailMap(K from) {
        return tailMap(from, true);
    }

    @Override
    public final ConcurrentNavigableMap<K, V> descendingMap() {
        return new SortedSubMap<>(whole(), bounds, !isUpwards);
    }

    // ---- all entries ----

    @Override
    protected final EntryRange<K, V> range(boolean hasValues) {
        return whole().walks(bounds, isUpwards, hasValues);
    }

    @Override
    public final NavigableSet<K> navigableKeySet() {
        return new SortedKeyView<>(this);
    }

    @Override
    public final NavigableSet<K> keySet() {
        return navigableKeySet();
    }

    @Override
    public final NavigableSet<K> descendingKeySet() {
        return descendingMap().navigableKeySet();
    }
}
