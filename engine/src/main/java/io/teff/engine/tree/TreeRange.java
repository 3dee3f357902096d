package io.teff.engine.tree;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map, or the part of one between two keys, upwards or downwards: whatever follows from a walk over it.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
abstract class TreeRange<K, V> extends AbstractMap<K, V> implements ConcurrentNavigableMap<K, V> {
    final Bounds<K> bounds;
    final boolean isUpwards;

    TreeRange(Bounds<K> bounds, boolean isUpwards) {
        this.bounds = bounds;
        this.isUpwards = isUpwards;
    }

    /** The whole map. */
    abstract ChunkTreeMap<K, V> map();

    private KeyOrder<K> order() {
        return map().order;
    }

    // ---- cursors ----

    /** A walk over all of it. */
    final TreeCursor cursor(boolean hasValues) {
        return cursor(new Work(), bounds, isUpwards, hasValues);
    }

    private TreeCursor cursor(Work work, Bounds<K> shown, boolean upwards, boolean hasValues) {
        return new TreeCursor(map().tree, work, key(shown.low()), shown.isLowIn(), key(shown.high()), shown.isHighIn(),
            upwards, hasValues);
    }

    private @Nullable TreeKey key(@Nullable K key) {
        if (key == null) {
            return null;
        }
        TreeKey made = new TreeKey();
        order().write(key, made);
        return made;
    }

    /** A walk from a key, or from the end of the part, forwards or backwards as the part has it. */
    private TreeCursor from(Work work, @Nullable K key, boolean isKeyIn, boolean forwards, boolean hasValues) {
        boolean upwards = forwards == isUpwards;
        Bounds<K> shown = key == null ? bounds : upwards ? bounds.withLow(order(), key, isKeyIn)
            : bounds.withHigh(order(), key, isKeyIn);
        return cursor(work, shown, upwards, hasValues);
    }

    private @Nullable Entry<K, V> nearEntry(@Nullable K key, boolean isKeyIn, boolean forwards) {
        Work work = map().tree.spares.take();
        try {
            TreeCursor cursor = from(work, key, isKeyIn, forwards, true);
            return cursor.next() ? new SimpleImmutableEntry<>(map().key(cursor, work.key), map().value(cursor)) : null;
        } finally {
            map().tree.spares.give(work);
        }
    }

    private @Nullable K nearKey(@Nullable K key, boolean isKeyIn, boolean forwards) {
        Work work = map().tree.spares.take();
        try {
            TreeCursor cursor = from(work, key, isKeyIn, forwards, false);
            return cursor.next() ? map().key(cursor, work.key) : null;
        } finally {
            map().tree.spares.give(work);
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

    // ---- parts ----

    private ConcurrentNavigableMap<K, V> part(@Nullable K from, boolean isFromIn, @Nullable K end, boolean isEndIn) {
        return new TreePart<>(map(), isUpwards ? bounds.inside(order(), from, isFromIn, end, isEndIn)
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
        return new TreePart<>(map(), bounds, !isUpwards);
    }

    // ---- one entry, which must be in the part ----

    @SuppressWarnings("unchecked")
    private boolean has(Object key) {
        return bounds.has(order(), (K) Objects.requireNonNull(key));
    }

    private ChunkTreeMap<K, V> mapOf(K key) {
        if (!has(key)) {
            throw new IllegalArgumentException("the key " + key + " is outside of this part of the map");
        }
        return map();
    }

    @Override
    public @Nullable V get(Object key) {
        return has(key) ? map().get(key) : null;
    }

    @Override
    public V getOrDefault(Object key, V otherwise) {
        V value = get(key);
        return value == null ? otherwise : value;
    }

    @Override
    public boolean containsKey(Object key) {
        return has(key) && map().containsKey(key);
    }

    @Override
    public final boolean containsValue(Object value) {
        Objects.requireNonNull(value);
        for (V other : values()) {
            if (other.equals(value)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable V put(K key, V value) {
        return mapOf(key).put(key, value);
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        return mapOf(key).putIfAbsent(key, value);
    }

    @Override
    public @Nullable V remove(Object key) {
        return has(key) ? map().remove(key) : null;
    }

    @Override
    public boolean remove(Object key, @Nullable Object value) {
        return has(key) && map().remove(key, value);
    }

    @Override
    public @Nullable V replace(K key, V value) {
        return mapOf(key).replace(key, value);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return mapOf(key).replace(key, oldValue, newValue);
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        return mapOf(key).compute(key, function);
    }

    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
        return mapOf(key).computeIfAbsent(key, function);
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        return has(key) ? map().computeIfPresent(key, function) : null;
    }

    @Override
    public @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
        return mapOf(key).merge(key, value, function);
    }

    // ---- all entries ----

    /** The number of entries. */
    long countedSize() {
        return cursor(false).count();
    }

    @Override
    public final int size() {
        return (int) Math.min(countedSize(), Integer.MAX_VALUE);
    }

    @Override
    public boolean isEmpty() {
        return !cursor(false).next();
    }

    @Override
    public void clear() {
        TreeCursor cursor = cursor(false);
        TreeKey key = new TreeKey();
        while (cursor.next()) {
            map().delete(map().key(cursor, key));
        }
    }

    @Override
    public final void putAll(Map<? extends K, ? extends V> entries) {
        entries.forEach((key, value) -> mapOf(key).set(key, value));
    }

    @Override
    public final void forEach(BiConsumer<? super K, ? super V> action) {
        Objects.requireNonNull(action);
        TreeCursor cursor = cursor(true);
        TreeKey key = new TreeKey();
        while (cursor.next()) {
            action.accept(map().key(cursor, key), map().value(cursor));
        }
    }

    @Override
    public final void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        Objects.requireNonNull(function);
        for (K key : keySet()) {
            map().computeIfPresent(key, (same, before) -> Objects.requireNonNull(function.apply(same, before)));
        }
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

    @Override
    public final Collection<V> values() {
        return new TreeViews.Values<>(this);
    }

    @Override
    public final Set<Entry<K, V>> entrySet() {
        return new TreeViews.Entries<>(this);
    }
}
