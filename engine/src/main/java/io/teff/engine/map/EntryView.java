package io.teff.engine.map;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The entries of a map. */
final class EntryView<K, V> extends AbstractSet<Entry<K, V>> {
    private final AtomicMap<K, V> map;

    EntryView(AtomicMap<K, V> map) {
        this.map = map;
    }

    private Entry<K, V> entry(EntryCursor<K, V> cursor) {
        return new WrittenEntry<>(map, cursor.key(), cursor.value());
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
        return new EntryIterator<>(map, true, this::entry);
    }

    @Override
    public Spliterator<Entry<K, V>> spliterator() {
        return new EntrySpliterator<>(map.range(true), this::entry, Spliterator.DISTINCT | map.sorted(),
            map.sorted() == 0 ? null : Entry.comparingByKey(comparator()));
    }

    @SuppressWarnings("unchecked")
    private Comparator<? super K> comparator() {
        Comparator<? super K> given = map.order();
        return given != null ? given : (Comparator<? super K>) Comparator.naturalOrder();
    }

    @Override
    @SuppressWarnings("EqualsHashCode")                         // the contract of sets
    public boolean equals(@Nullable Object other) {
        map.check();
        return super.equals(other);
    }

    @Override
    public boolean containsAll(Collection<?> others) {
        map.check();
        return super.containsAll(others);
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public boolean isEmpty() {
        return map.isEmpty();
    }

    @Override
    public boolean contains(@Nullable Object other) {
        map.check();
        return other instanceof Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null
            && entry.getValue().equals(map.get(entry.getKey()));
    }

    @Override
    public boolean remove(@Nullable Object other) {
        map.check();
        return other instanceof Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null
            && map.remove(entry.getKey(), entry.getValue());
    }

    @Override
    public boolean removeAll(Collection<?> others) {
        map.check();
        return AtomicMap.removeEach(this, others);
    }

    @Override
    public boolean removeIf(Predicate<? super Entry<K, V>> test) {
        Objects.requireNonNull(test);
        return map.removeTested((key, value) -> test.test(new WrittenEntry<>(map, key, value)));
    }

    @Override
    public boolean retainAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(entry -> !others.contains(entry));
    }

    @Override
    public void clear() {
        map.clear();
    }
}
