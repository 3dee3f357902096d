package io.teff.engine.hash;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The sets of keys and entries and the collection of values of a map, their iterators and spliterators. */
final class MapViews {
    private MapViews() {}

    /** What to make of the entry that a cursor is at. */
    private interface Maker<K, V, T> {
        T make(ChunkHashMap<K, V> map, HashCursor cursor, Work work);
    }

    private static <K, V> K key(ChunkHashMap<K, V> map, HashCursor cursor, Work work) {
        return map.key(cursor.bytes(), cursor.from(), work);
    }

    private static <K, V> V value(ChunkHashMap<K, V> map, HashCursor cursor, Work work) {
        int from = cursor.valueFrom();
        return map.value(cursor.bytes(), from, cursor.end() - from, work);
    }

    private static <K, V> Entry<K, V> entry(ChunkHashMap<K, V> map, HashCursor cursor, Work work) {
        return new WriteThrough<>(map, key(map, cursor, work), value(map, cursor, work));
    }

    /** An entry whose changes go to the map. */
    private static final class WriteThrough<K, V> extends AbstractMap.SimpleEntry<K, V> {
        private static final long serialVersionUID = 1L;

        private final transient ChunkHashMap<K, V> map;

        WriteThrough(ChunkHashMap<K, V> map, K key, V value) {
            super(key, value);
            this.map = map;
        }

        @Override
        public V setValue(V value) {
            map.set(getKey(), value);
            return super.setValue(value);
        }
    }

    /** Walks over a map. */
    private static final class Walk<K, V, T> implements Iterator<T> {
        private final ChunkHashMap<K, V> map;
        private final Maker<K, V, T> maker;
        private final HashCursor cursor;
        private final Work work = new Work();
        private boolean more;
        private @Nullable K last;

        Walk(ChunkHashMap<K, V> map, Maker<K, V, T> maker) {
            this.map = map;
            this.maker = maker;
            cursor = new HashCursor(map.table, 0, 0);
            more = cursor.next();
        }

        @Override
        public boolean hasNext() {
            return more;
        }

        @Override
        public T next() {
            if (!more) {
                throw new NoSuchElementException();
            }
            last = key(map, cursor, work);
            T made = maker.make(map, cursor, work);
            more = cursor.next();
            return made;
        }

        @Override
        public void remove() {
            K key = last;
            if (key == null) {
                throw new IllegalStateException("remove() needs a next() before it");
            }
            last = null;
            map.delete(key);
        }
    }

    /** A part of a map, an interval of the hashes read backwards. */
    private static final class Part<K, V, T> implements Spliterator<T> {
        private final ChunkHashMap<K, V> map;
        private final Maker<K, V, T> maker;
        private final int characteristics;
        private final Work work = new Work();
        private final long start;
        private long end;
        private @Nullable HashCursor cursor;

        Part(ChunkHashMap<K, V> map, Maker<K, V, T> maker, int characteristics, long start, long end) {
            this.map = map;
            this.maker = maker;
            this.characteristics = characteristics;
            this.start = start;
            this.end = end;
        }

        private HashCursor cursor() {
            HashCursor begun = cursor;
            if (begun == null) {
                begun = new HashCursor(map.table, start, end);
                cursor = begun;
            }
            return begun;
        }

        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
            Objects.requireNonNull(action);
            if (!cursor().next()) {
                return false;
            }
            action.accept(maker.make(map, cursor(), work));
            return true;
        }

        @Override
        public void forEachRemaining(Consumer<? super T> action) {
            Objects.requireNonNull(action);
            HashCursor walked = cursor();
            while (walked.next()) {
                action.accept(maker.make(map, walked, work));
            }
        }

        /** The second half of the interval, as long as nothing was shown and it is worth it. */
        @Override
        public @Nullable Spliterator<T> trySplit() {
            long distance = end - start;
            long half = distance == 0 ? 1L << Long.SIZE - 1 : distance >>> 1;
            if (cursor != null || Long.compareUnsigned(half, Long.divideUnsigned(-1L, map.table.index.count())) < 0) {
                return null;
            }
            Spliterator<T> second = new Part<>(map, maker, characteristics, start + half, end);
            end = start + half;
            return second;
        }

        @Override
        public long estimateSize() {
            double share = end == start ? 1 : ((end - start >>> 1) * 2.0) / 0x1p64;
            return (long) (map.longSize() * share);
        }

        @Override
        public int characteristics() {
            return characteristics;
        }
    }

    /** The keys. */
    static final class Keys<K, V> extends AbstractSet<K> {
        private final ChunkHashMap<K, V> map;

        Keys(ChunkHashMap<K, V> map) {
            this.map = map;
        }

        @Override
        public Iterator<K> iterator() {
            return new Walk<>(map, MapViews::key);
        }

        @Override
        public Spliterator<K> spliterator() {
            return new Part<>(map, MapViews::key, Spliterator.CONCURRENT | Spliterator.DISTINCT | Spliterator.NONNULL,
                0, 0);
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
        public boolean contains(Object key) {
            return map.containsKey(key);
        }

        @Override
        @SuppressWarnings("unchecked")
        public boolean remove(Object key) {
            return map.delete((K) key);
        }

        @Override
        public boolean removeAll(Collection<?> others) {
            return removeEach(this, others);
        }

        @Override
        public void clear() {
            map.clear();
        }
    }

    /** The values. */
    static final class Values<K, V> extends AbstractCollection<V> {
        private final ChunkHashMap<K, V> map;

        Values(ChunkHashMap<K, V> map) {
            this.map = map;
        }

        @Override
        public Iterator<V> iterator() {
            return new Walk<>(map, MapViews::value);
        }

        @Override
        public Spliterator<V> spliterator() {
            return new Part<>(map, MapViews::value, Spliterator.CONCURRENT | Spliterator.NONNULL, 0, 0);
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

    /** The entries. */
    static final class Entries<K, V> extends AbstractSet<Entry<K, V>> {
        private final ChunkHashMap<K, V> map;

        Entries(ChunkHashMap<K, V> map) {
            this.map = map;
        }

        @Override
        public Iterator<Entry<K, V>> iterator() {
            return new Walk<>(map, MapViews::entry);
        }

        @Override
        public Spliterator<Entry<K, V>> spliterator() {
            return new Part<>(map, MapViews::entry, Spliterator.CONCURRENT | Spliterator.DISTINCT | Spliterator.NONNULL,
                0, 0);
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
        public boolean contains(Object other) {
            return other instanceof Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null
                && entry.getValue().equals(map.get(entry.getKey()));
        }

        @Override
        public boolean remove(Object other) {
            return other instanceof Entry<?, ?> entry && entry.getKey() != null && entry.getValue() != null
                && map.remove(entry.getKey(), entry.getValue());
        }

        @Override
        public boolean removeAll(Collection<?> others) {
            return removeEach(this, others);
        }

        @Override
        public void clear() {
            map.clear();
        }
    }

    /** By the others, not by this, which may be far larger. */
    private static boolean removeEach(Set<?> set, Collection<?> others) {
        boolean changed = false;
        for (Object other : others) {
            changed |= set.remove(other);
        }
        return changed;
    }
}
