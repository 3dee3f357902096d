package io.teff.engine.map;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map with atomic operations on a single entry. All operations are built on {@link #change}: find the entry, and
 * decide on the new value while no other writer can change the entry. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract class AtomicMap<K, V> extends WalkedMap<K, V> implements ConcurrentMap<K, V> {
    /** For subclasses. */
    protected AtomicMap() {}

    /**
     * Finds an entry and decides on the new value, while no other writer can change the entry.
     *
     * @param key not null
     * @param isPut whether an absent entry may be created; a submap refuses such a call for a key outside its bounds,
     *     and treats other calls with such a key as calls for an absent entry
     * @param isAlways whether to store the new value even if it is the same object as the old one
     * @param change gets the old value or null; its result is stored, null removes the entry
     */
    protected abstract void change(Object key, boolean isPut, boolean isAlways, EntryChange<V> change);

    /** Notes that the calling thread is about to run a function of the application inside of {@link #change}. */
    protected abstract void beginCall();

    /** Notes that the function has returned. */
    protected abstract void endCall();

    /**
     * Puts an entry, without reading the old value.
     *
     * @param key not null
     * @param value not null
     * @return whether the key is new
     */
    public abstract boolean set(K key, V value);

    /** {@return the number of entries} */
    public abstract long longSize();

    // ---- order, for the views ----

    /** Returns the characteristics of spliterators that concern the order. */
    final int sorted() {
        return this instanceof SortedMap ? Spliterator.SORTED | Spliterator.ORDERED : 0;
    }

    /** Returns the order of the keys, or null for their natural order. */
    @SuppressWarnings("unchecked")
    final @Nullable Comparator<? super K> order() {
        return this instanceof SortedMap ? ((SortedMap<K, V>) this).comparator() : null;
    }

    // ---- one entry ----

    /** Changes an entry; returns the old value. */
    private @Nullable V change(Object key, boolean isPut, Function<@Nullable V, @Nullable V> function) {
        EntryChange<V> change = new EntryChange<>(function);
        change(key, isPut, false, change);
        return change.before();
    }

    /** Changes an entry by a function of the application, which may modify the old value; returns the new value. */
    private @Nullable V call(Object key, boolean isPut, Function<@Nullable V, @Nullable V> function) {
        EntryChange<V> change = new EntryChange<>(before -> {
            beginCall();
            try {
                return function.apply(before);
            } finally {
                endCall();
            }
        });
        change(key, isPut, true, change);
        return change.after();
    }

    @Override
    public V getOrDefault(Object key, V otherwise) {
        V value = get(key);
        return value == null ? otherwise : value;
    }

    @Override
    public @Nullable V put(K key, V value) {
        Objects.requireNonNull(value);
        return change(key, true, _ -> value);
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        Objects.requireNonNull(value);
        return change(key, true, before -> before == null ? value : before);
    }

    @Override
    public @Nullable V remove(Object key) {
        return change(key, false, _ -> null);
    }

    @Override
    public boolean remove(Object key, @Nullable Object value) {
        boolean[] removed = new boolean[1];
        change(key, false, before -> {
            removed[0] = before != null && before.equals(value);
            return removed[0] ? null : before;
        });
        return removed[0];
    }

    @Override
    public @Nullable V replace(K key, V value) {
        Objects.requireNonNull(value);
        return change(key, true, before -> before == null ? null : value);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        Objects.requireNonNull(oldValue);
        Objects.requireNonNull(newValue);
        boolean[] replaced = new boolean[1];
        change(key, true, before -> {
            replaced[0] = before != null && before.equals(oldValue);
            return replaced[0] ? newValue : before;
        });
        return replaced[0];
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        return call(key, true, before -> function.apply(key, before));
    }

    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        V present = get(key);
        return present != null ? present : call(key, true, before -> before != null ? before : function.apply(key));
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        Objects.requireNonNull(function);
        return call(key, false, before -> before == null ? null : function.apply(key, before));
    }

    @Override
    public @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
        Objects.requireNonNull(value);
        Objects.requireNonNull(function);
        return call(key, true, before -> before == null ? value : function.apply(before, value));
    }

    // ---- all entries ----

    @Override
    public final int size() {
        return (int) Math.min(longSize(), Integer.MAX_VALUE);
    }

    @Override
    public boolean isEmpty() {
        return longSize() == 0;
    }

    @Override
    public final boolean containsValue(Object value) {
        Objects.requireNonNull(value);
        try (EntryCursor<K, V> cursor = range(true).cursor()) {
            while (cursor.next()) {
                if (value.equals(cursor.value())) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> entries) {
        check();
        entries.forEach(this::set);
    }

    @Override
    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        Objects.requireNonNull(function);
        for (K key : keySet()) {
            computeIfPresent(key, (same, before) -> Objects.requireNonNull(function.apply(same, before)));
        }
    }

    @Override
    public final void forEach(BiConsumer<? super K, ? super V> action) {
        Objects.requireNonNull(action);
        try (EntryCursor<K, V> cursor = range(true).cursor()) {
            while (cursor.next()) {
                action.accept(cursor.key(), cursor.value());
            }
        }
    }

    @Override
    public Set<K> keySet() {
        return new KeyView<>(this);
    }

    @Override
    public final Collection<V> values() {
        return new ValueView<>(this);
    }

    @Override
    public final Set<Entry<K, V>> entrySet() {
        return new EntryView<>(this);
    }

    // ---- many entries, for the views ----

    /**
     * Removes the entries of several keys, without a walk over the map, which may be far larger.
     *
     * @param others the keys
     * @return whether there was one of these entries
     */
    protected boolean deleteEach(Collection<?> others) {
        return removeEach(keySet(), others);
    }

    /**
     * Removes the entries whose keys a test accepts.
     *
     * @param test of the keys
     * @return whether there was one
     */
    protected boolean deleteIf(Predicate<? super K> test) {
        boolean isChanged = false;
        try (EntryCursor<K, V> cursor = range(false).cursor()) {
            while (cursor.next()) {
                isChanged |= test.test(cursor.key()) && delete(cursor.key());
            }
        }
        return isChanged;
    }

    /**
     * Returns whether there are entries of all of several keys.
     *
     * @param others the keys
     * @return whether there are
     */
    protected boolean containsEach(Collection<?> others) {
        for (Object other : others) {
            if (!containsKey(other)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Removes each element of {@code others}, without a walk over the set, which may be far larger; returns whether it
     * changed.
     */
    static boolean removeEach(Set<?> set, Collection<?> others) {
        boolean isChanged = false;
        for (Object other : others) {
            isChanged |= set.remove(other);
        }
        return isChanged;
    }
}
