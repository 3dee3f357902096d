package io.teff.engine.tree;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The sets and collections of a map or of a part of it, and their iterators. */
final class TreeViews {
    private static final int SORTED = Spliterator.ORDERED | Spliterator.SORTED | Spliterator.DISTINCT
        | Spliterator.NONNULL | Spliterator.CONCURRENT;

    private TreeViews() {}

    static <K> Iterator<K> keys(TreeRange<K, ?> range) {
        return new KeyWalk<>(range);
    }

    /** A spliterator in the order of a comparator. */
    static <T> Spliterator<T> sorted(Iterator<T> iterator, @Nullable Comparator<? super T> comparator) {
        return new Spliterators.AbstractSpliterator<>(Long.MAX_VALUE, SORTED) {
            @Override
            public boolean tryAdvance(Consumer<? super T> action) {
                boolean isThere = iterator.hasNext();
                if (isThere) {
                    action.accept(iterator.next());
                }
                return isThere;
            }

            @Override
            public @Nullable Comparator<? super T> getComparator() {
                return comparator;
            }
        };
    }

    /** By the others, not by the set, which may be far larger. */
    static boolean removeEach(Set<?> set, Collection<?> others) {
        boolean isChanged = false;
        for (Object other : others) {
            isChanged |= set.remove(other);
        }
        return isChanged;
    }

    /** An entry whose changes go to the map. */
    private static final class WriteThrough<K, V> extends AbstractMap.SimpleEntry<K, V> {
        private static final long serialVersionUID = 1L;

        private final transient ChunkTreeMap<K, V> map;

        WriteThrough(ChunkTreeMap<K, V> map, K key, V value) {
            super(key, value);
            this.map = map;
        }

        @Override
        public V setValue(V value) {
            map.set(getKey(), value);
            return super.setValue(value);
        }
    }

    /** Walks over a map or a part of it. */
    private abstract static class Walk<K, V, T> implements Iterator<T> {
        final ChunkTreeMap<K, V> map;
        final TreeCursor cursor;
        private final TreeKey key = new TreeKey();
        private boolean isMore;
        private @Nullable K last;

        Walk(TreeRange<K, V> range, boolean hasValues) {
            map = range.map();
            cursor = range.cursor(hasValues);
            isMore = cursor.next();
        }

        /** What to show of the entry that the cursor is at. */
        abstract T make(K entryKey);

        @Override
        public final boolean hasNext() {
            return isMore;
        }

        @Override
        public final T next() {
            if (!isMore) {
                throw new NoSuchElementException();
            }
            K shown = map.key(cursor, key);
            last = shown;
            T made = make(shown);
            isMore = cursor.next();
            return made;
        }

        @Override
        public final void remove() {
            K removed = last;
            if (removed == null) {
                throw new IllegalStateException("remove() needs a next() before it");
            }
            last = null;
            map.delete(removed);
        }
    }

    /** Shows keys. */
    private static final class KeyWalk<K, V> extends Walk<K, V, K> {
        KeyWalk(TreeRange<K, V> range) {
            super(range, false);
        }

        @Override
        K make(K entryKey) {
            return entryKey;
        }
    }

    /** Shows values. */
    private static final class ValueWalk<K, V> extends Walk<K, V, V> {
        ValueWalk(TreeRange<K, V> range) {
            super(range, true);
        }

        @Override
        V make(K entryKey) {
            return map.value(cursor);
        }
    }

    /** Shows entries. */
    private static final class EntryWalk<K, V> extends Walk<K, V, Entry<K, V>> {
        EntryWalk(TreeRange<K, V> range) {
            super(range, true);
        }

        @Override
        Entry<K, V> make(K entryKey) {
            return new WriteThrough<>(map, entryKey, map.value(cursor));
        }
    }

    /** The values. */
    static final class Values<K, V> extends AbstractCollection<V> {
        private final TreeRange<K, V> range;

        Values(TreeRange<K, V> range) {
            this.range = range;
        }

        @Override
        public Iterator<V> iterator() {
            return new ValueWalk<>(range);
        }

        @Override
        public Spliterator<V> spliterator() {
            return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL
                | Spliterator.CONCURRENT);
        }

        @Override
        public int size() {
            return range.size();
        }

        @Override
        public boolean isEmpty() {
            return range.isEmpty();
        }

        @Override
        public void clear() {
            range.clear();
        }
    }

    /** The entries. */
    static final class Entries<K, V> extends AbstractSet<Entry<K, V>> {
        private final TreeRange<K, V> range;

        Entries(TreeRange<K, V> range) {
            this.range = range;
        }

        @Override
        public Iterator<Entry<K, V>> iterator() {
            return new EntryWalk<>(range);
        }

        @Override
        public Spliterator<Entry<K, V>> spliterator() {
            Comparator<? super K> given = range.comparator();
            Comparator<Entry<K, V>> byKey = given != null ? Entry.comparingByKey(given)
                : (left, right) -> range.map().order.compare(left.getKey(), right.getKey());
            return sorted(iterator(), byKey);
        }

        @Override
        public int size() {
            return range.size();
        }

        @Override
        public boolean isEmpty() {
            return range.isEmpty();
        }

        @Override
        public boolean contains(Object other) {
            return other instanceof Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null
                && entry.getValue().equals(range.get(entry.getKey()));
        }

        @Override
        public boolean remove(Object other) {
            return other instanceof Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null
                && range.remove(entry.getKey(), entry.getValue());
        }

        @Override
        public boolean removeAll(Collection<?> others) {
            return removeEach(this, others);
        }

        @Override
        public void clear() {
            range.clear();
        }
    }
}
