package io.teff.engine.map;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The values of a map. */
final class ValueView<K, V> extends AbstractCollection<V> {
    private final AtomicMap<K, V> map;

    ValueView(AtomicMap<K, V> map) {
        this.map = map;
    }

    @Override
    public Iterator<V> iterator() {
        return new EntryIterator<>(map, true, EntryCursor::value);
    }

    @Override
    public Spliterator<V> spliterator() {
        return new EntrySpliterator<>(map.range(true), EntryCursor::value, map.sorted() & Spliterator.ORDERED, null);
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
    public boolean contains(Object value) {
        return map.containsValue(value);
    }

    @Override
    public boolean remove(@Nullable Object value) {
        map.check();
        return value != null && new TestedRemoval<>(map, (_, other) -> value.equals(other)).first();
    }

    @Override
    public boolean removeIf(Predicate<? super V> test) {
        Objects.requireNonNull(test);
        return map.removeTested((_, value) -> test.test(value));
    }

    @Override
    public boolean removeAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(others::contains);
    }

    @Override
    public boolean retainAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(value -> !others.contains(value));
    }

    @Override
    public void clear() {
        map.clear();
    }
}
