package io.teff.engine.map;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a map.
 *
 * @param <K> type of the keys
 */
public class KeyView<K> extends AbstractSet<K> {
    private final AtomicMap<K, ?> map;

    /**
     * Creates the set of a map's keys.
     *
     * @param map map of the keys
     */
    public KeyView(AtomicMap<K, ?> map) {
        this.map = map;
    }

    private static <K, V> Iterator<K> iterator(AtomicMap<K, V> map) {
        return new EntryIterator<>(map, false, EntryCursor::key);
    }

    private static <K, V> Spliterator<K> spliterator(AtomicMap<K, V> map) {
        return new EntrySpliterator<>(map.range(false), EntryCursor::key, Spliterator.DISTINCT | map.sorted(),
            map.order());
    }

    @Override
    public final Iterator<K> iterator() {
        return iterator(map);
    }

    @Override
    public final Spliterator<K> spliterator() {
        return spliterator(map);
    }

    @Override
    @SuppressWarnings("EqualsHashCode")                         // the contract of sets
    public final boolean equals(@Nullable Object other) {
        map.check();
        return super.equals(other);
    }

    @Override
    public final boolean containsAll(Collection<?> others) {
        map.check();
        return map.containsEach(others);
    }

    @Override
    public final int size() {
        return map.size();
    }

    @Override
    public final boolean isEmpty() {
        return map.isEmpty();
    }

    @Override
    public final boolean contains(Object key) {
        return map.containsKey(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    public final boolean remove(Object key) {
        return map.delete((K) key);
    }

    @Override
    public final boolean removeAll(Collection<?> others) {
        map.check();
        return map.deleteEach(others);
    }

    @Override
    public final boolean removeIf(Predicate<? super K> test) {
        Objects.requireNonNull(test);
        return map.deleteIf(test);
    }

    @Override
    public final boolean retainAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(key -> !others.contains(key));
    }

    @Override
    public final void clear() {
        map.clear();
    }
}
