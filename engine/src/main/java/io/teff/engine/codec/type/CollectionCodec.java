package io.teff.engine.codec.type;

import io.teff.engine.codec.Output;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Codec of lists, sets and queues. */
public final class CollectionCodec extends SequenceCodec<Collection<@Nullable Object>> {
    private static final Indexed<Collection<@Nullable Object>> BY_INDEX = (list, index) ->
        ((List<@Nullable Object>) list).get(index);

    /** Largest initial capacity: a count in hostile bytes may be false, at each of many nesting levels. */
    static final int CAPACITY_MAX = 4096;

    private final IntFunction<Collection<@Nullable Object>> factory;

    /** Makes a codec of the collections that a factory makes for a capacity. */
    public CollectionCodec(TypeCodec<Object> element, IntFunction<Collection<@Nullable Object>> factory) {
        super(element);
        this.factory = factory;
    }

    @Override
    public void write(Collection<@Nullable Object> value, Output out) {
        int count = value.size();
        if (value instanceof RandomAccess) {
            writeIndexed(value, count, BY_INDEX, out);
            if (value.size() != count) {
                throw new ConcurrentModificationException(CHANGED);
            }
        } else {
            writeIndexed(value, count, new InOrder(value), out);
        }
    }

    /** Access by an iterator, which starts again at index 0: the elements are visited up to three times. */
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
                throw new ConcurrentModificationException(CHANGED);
            }
            Object value = iterator.next();
            if (index == count - 1 && iterator.hasNext()) {
                throw new ConcurrentModificationException(CHANGED);
            }
            return value;
        }
    }

    @Override
    public CollectionCodec withElement(TypeCodec<Object> element) {
        return new CollectionCodec(element, factory);
    }

    @Override
    public Collection<@Nullable Object> view(Collection<@Nullable Object> value) {
        return value;
    }

    @Override
    public Collection<@Nullable Object> make(int count) {
        return factory.apply(Math.min(count, CAPACITY_MAX));
    }

    @Override
    public boolean add(Collection<@Nullable Object> target, int index, @Nullable Object value) {
        return target.add(value);
    }

    @Override
    void describe(Description description) {
        description.composed(Description.SEQUENCE, element());
    }
}
