package io.teff.engine.hash;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.storage.RootedCollection;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A set: the keys of a map whose values are empty.
 *
 * @param <E> type of the elements
 */
public final class ChunkHashSet<E> extends AbstractSet<E> implements ChunkSet<E>, RootedCollection {
    /** Codec of the map's values. */
    public static final Codec<Boolean> PRESENT = new Codec<>() {
        @Override
        public void write(Boolean value, Output out) {}

        @Override
        public Boolean read(Input in) {
            return true;
        }

        @Override
        public long fingerprint() {
            return 0;
        }

        @Override
        public String describe() {
            return "";
        }

        @Override
        public int fixedBytes() {
            return 0;
        }
    };

    private final ChunkHashMap<E, Boolean> map;

    /**
     * Creates a set of the keys of a map.
     *
     * @param map map with the set's elements as keys
     */
    public ChunkHashSet(ChunkHashMap<E, Boolean> map) {
        this.map = map;
    }

    @Override
    public boolean add(E element) {
        return map.putIfAbsent(element, true) == null;
    }

    @Override
    public boolean addAll(Collection<? extends E> others) {
        map.check();
        return super.addAll(others);
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
    public boolean remove(Object element) {
        return map.keySet().remove(element);
    }

    @Override
    public boolean removeAll(Collection<?> others) {
        return map.keySet().removeAll(others);
    }

    @Override
    public boolean removeIf(Predicate<? super E> test) {
        return map.keySet().removeIf(test);
    }

    @Override
    public boolean retainAll(Collection<?> others) {
        return map.keySet().retainAll(others);
    }

    @Override
    public boolean contains(Object element) {
        return map.containsKey(element);
    }

    @Override
    public Iterator<E> iterator() {
        return map.keySet().iterator();
    }

    @Override
    public Spliterator<E> spliterator() {
        return map.keySet().spliterator();
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

    @Override
    public long root() {
        return map.root();
    }

    @Override
    public void drop() {
        map.drop();
    }

    @Override
    public long longSize() {
        return map.longSize();
    }

    @Override
    public long memoryBytes() {
        return map.memoryBytes();
    }

    @Override
    public void audit() {
        map.audit();
    }
}
