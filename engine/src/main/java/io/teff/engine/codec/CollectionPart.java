package io.teff.engine.codec;

import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Lists, sets and queues. */
final class CollectionPart extends ElementsPart<Collection<@Nullable Object>> {
    private static final Indexed<Collection<@Nullable Object>> BY_INDEX = (list, index) ->
        ((List<@Nullable Object>) list).get(index);

    /** At first: a count that was read may be a lie, at each of many levels. */
    static final int CAPACITY_MAX = 4096;

    private final IntFunction<Collection<@Nullable Object>> factory;

    CollectionPart(Part<Object> element, IntFunction<Collection<@Nullable Object>> factory) {
        super(element);
        this.factory = factory;
    }

    @Override
    public void write(Collection<@Nullable Object> value, Output out) {
        int count = value.size();
        if (value instanceof RandomAccess) {
            writeIndexed(value, count, BY_INDEX, out);
            if (value.size() != count) {
                throw new ConcurrentModificationException("not as many elements as size() said");
            }
        } else {
            writeIndexed(value, count, new InOrder(value), out);
        }
    }

    /** By an iterator that begins again at index 0, because writing may begin again. */
    private static final class InOrder implements Indexed<Collection<@Nullable Object>> {
        private final int count;
        private Iterator<@Nullable Object> iterator;

        InOrder(Collection<@Nullable Object> collection) {
            count = collection.size();
            iterator = collection.iterator();
        }

        @Override
        public @Nullable Object get(Collection<@Nullable Object> from, int index) {
            if (index == 0) {
                iterator = from.iterator();
            }
            if (!iterator.hasNext()) {
                throw new ConcurrentModificationException("fewer elements than size() said");
            }
            Object value = iterator.next();
            if (index == count - 1 && iterator.hasNext()) {
                throw new ConcurrentModificationException("more elements than size() said");
            }
            return value;
        }
    }

    @Override
    CollectionPart of(Part<Object> other) {
        return new CollectionPart(other, factory);
    }

    @Override
    Collection<@Nullable Object> view(Collection<@Nullable Object> value) {
        return value;
    }

    @Override
    Collection<@Nullable Object> make(int count) {
        return factory.apply(Math.min(count, CAPACITY_MAX));
    }

    @Override
    boolean add(Collection<@Nullable Object> to, int index, @Nullable Object value) {
        return to.add(value);
    }

    @Override
    void describe(Description description) {
        description.of(Description.SEQUENCE, element());
    }
}
