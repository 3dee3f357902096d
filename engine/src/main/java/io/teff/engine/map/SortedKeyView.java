package io.teff.engine.map;

import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a sorted map or submap.
 *
 * @param <K> type of the keys
 */
final class SortedKeyView<K> extends KeyView<K> implements NavigableSet<K> {
    private final SortedMapRange<K, ?> range;

    SortedKeyView(SortedMapRange<K, ?> range) {
        super(range);
        this.range = range;
    }

    @Override
    public Iterator<K> descendingIterator() {
        return descendingSet().iterator();
    }

    @Override
    public NavigableSet<K> descendingSet() {
        return range.descendingKeySet();
    }

    @Override
    public @Nullable Comparator<? super K> comparator() {
        return range.comparator();
    }

    @Override
    public @Nullable K lower(K key) {
        return range.lowerKey(key);
    }

    @Override
    public @Nullable K floor(K key) {
        return range.floorKey(key);
    }

    @Override
    public @Nullable K ceiling(K key) {
        return range.ceilingKey(key);
    }

    @Override
    public @Nullable K higher(K key) {
        return range.higherKey(key);
    }

    @Override
    public K first() {
        return range.firstKey();
    }

    @Override
    public K last() {
        return range.lastKey();
    }

    @Override
    public @Nullable K pollFirst() {
        Entry<K, ?> entry = range.pollFirstEntry();
        return entry == null ? null : entry.getKey();
    }

    @Override
    public @Nullable K pollLast() {
        Entry<K, ?> entry = range.pollLastEntry();
        return entry == null ? null : entry.getKey();
    }

    @Override
    public NavigableSet<K> subSet(K from, boolean isFromIn, K end, boolean isEndIn) {
        return range.subMap(from, isFromIn, end, isEndIn).navigableKeySet();
    }

    @Override
    public NavigableSet<K> subSet(K from, K end) {
        return subSet(from, true, end, false);
    }

    @Override
    public NavigableSet<K> headSet(K end, boolean isEndIn) {
        return range.headMap(end, isEndIn).navigableKeySet();
    }

    @Override
    public NavigableSet<K> headSet(K end) {
        return headSet(end, false);
    }

    @Override
    public NavigableSet<K> tailSet(K from, boolean isFromIn) {
        return range.tailMap(from, isFromIn).navigableKeySet();
    }

    @Override
    public NavigableSet<K> tailSet(K from) {
        return tailSet(from, true);
    }
}
