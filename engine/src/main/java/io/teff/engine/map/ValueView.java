package io.teff.engine.map;

import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.Spliterator;

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
    public int size() {
        return map.size();
    }

    @Override
    public boolean isEmpty() {
        return map.isEmpty();
    }

    @Override
    public void clear() {
        map.clear();
    }
}
