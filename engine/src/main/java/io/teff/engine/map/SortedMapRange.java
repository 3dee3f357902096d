package io.teff.engine.tree;

import io.teff.engine.map.AtomicMap;
import io.teff.engine.map.EntryRange;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map, or a submap between two keys, upwards or downwards: everything that can be built on walks.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
abstract class TreeRange<K, V> extends AtomicMap<K, V> implements ConcurrentNavigableMap<K, V> {
    final Bounds<K> bounds;
    final boolean isUpwards;

    TreeRange(Bounds<K> bounds, boolean isUpwards) {
        this.bounds = bounds;
        this.isUpwards = isUpwards;
    }

    /** Returns the whole map. */
    abstract ChunkTreeMap<K, V> map();

    private KeyOrder<K> order() {
        return map().order;
    }

    // ---- cursors ----

    private TreeCursor cursor(Bounds<K> shown, boolean upwards, boolean hasValues) {
        TreeCursor cursor = new TreeCursor(map().tree, upwards, hasValues);
        K low = shown.low();
        if (low != null) {
            order().write(low, cursor.low(shown.isLowIn()));
        }
        K high = shown.high();
        if (high != null) {
            order().write(high, cursor.high(shown.isHighIn()));
        }
        return cursor;
    }

    /** Returns a walk from a key, or from the end of the range, forwards or backwards in the order of this range. */
    private TreeCursor from(@Nullable K key, boolean isKeyIn, boolean forwards, boolean hasValues) {
        boolean upwards = forwards == isUpwards;
        Bounds<K> shown = key == null ? bounds : upwards ? bounds.withLow(order(), key, isKeyIn)
            : bounds.withHigh(order(), key, isKeyIn);
        return cursor(shown, upwards, hasValues);
    }

    private @Nullable Entry<K, V> nearEntry(@Nullable K key, boolean isKeyIn, boolean forwards) {
        try (TreeCursor cursor = from(key, isKeyIn, forwards, true)) {
            return cursor.next() ? new SimpleImmutableEntry<>(map().key(cursor), map().value(cursor)) : null;
        }
    }

    private @Nullable K nearKey(@Nullable K key, boolean isKeyIn, boolean forwards) {
        try (TreeCursor cursor = from(key, isKeyIn, forwards, false)) {
            return cursor.next() ? map().key(cursor) : null;
        }
    }

    // ---- navigation ----

    @Override
    public final @Nullable Comparator<? super K> comparator() {
        Comparator<? super K> given = order().comparator();
        if (isUpwards) {
            return given;
        }
        return given != null ? given.reversed() : order()::compareBackwards;
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
            throw new java.util.NoSuchElementException("the map is empty");
        }
        return key;
    }

    @Override
    public final @Nullable Entry<K, V> pollFirstEntry() {
        return poll(true);
    }

    @Override
    public final @Nullable Entry<K, V> pollLastEntry() {
        return poll(false);
    }

    private @Nullable Entry<K, V> poll(boolean forwards) {
        for (;;) {
            K key = nearKey(null, true, forwards);
            if (key == null) {
                return null;
            }
            V value = map().remove(key);
            if (value != null) {
                return new SimpleImmutableEntry<>(key, value);
            }
        }
    }

    // ---- submaps ----

    private ConcurrentNavigableMap<K, V> part(@Nullable K from, boolean isFromIn, @Nullable K end, boolean isEndIn) {
        return new TreeSubMap<>(map(), isUpwards ? bounds.inside(order(), from, isFromIn, end, isEndIn)
            : bounds.inside(order(), end, isEndIn, from, isFromIn), isUpwards);
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
        return new TreeSubMap<>(map(), bounds, !isUpwards);
    }

    // ---- all entries ----

    @Override
    protected final void beginCall() {
        map().tree.writerLocks.beginCall();
    }

    @Override
    protected final void endCall() {
        map().tree.writerLocks.endCall();
    }

    @Override
    protected final EntryRange<K, V> range(boolean hasValues) {
        return entries(hasValues);
    }

    final TreeEntries<K, V> entries(boolean hasValues) {
        return new TreeEntries<>(map(), key(bounds.low()), bounds.isLowIn(), key(bounds.high()), bounds.isHighIn(),
            isUpwards, hasValues);
    }

    private @Nullable TreeKey key(@Nullable K key) {
        if (key == null) {
            return null;
        }
        TreeKey made = new TreeKey();
        order().write(key, made);
        return made;
    }

    @Override
    public final NavigableSet<K> navigableKeySet() {
        return new TreeKeys<>(this);
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
