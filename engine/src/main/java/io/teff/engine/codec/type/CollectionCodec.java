package io.teff.engine.codec.type;

import io.teff.engine.codec.Output;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** Codec of lists, sets and queues. */
public final class CollectionCodec extends SequenceCodec<Collection<@Nullable Object>> {
    private static final Indexed<Collection<@Nullable Object>> BY_INDEX = (list, index) -> {
        try {
            return ((List<@Nullable Object>) list).get(index);
        } catch (IndexOutOfBoundsException e) {
            throw new ConcurrentModificationException(CHANGED, e);
        }
    };

    /** Largest initial capacity: a count in hostile bytes may be false, at each of many nesting levels. */
    static final int CAPACITY_MAX = 4096;

    private final ContainerKind<Collection<@Nullable Object>> kind;
    private final ReadableContainers readable;

    /** Makes a codec of the collections of a declared type. */
    public CollectionCodec(TypeCodec<Object> element, ContainerKind<Collection<@Nullable Object>> kind) {
        super(element);
        this.kind = kind;
        this.readable = new ReadableContainers(kind.refusals(), element);
    }

    @Override
    public void write(Collection<@Nullable Object> value, Output out) {
        if (kind.refusals() == RefusedElements.NOTHING || !readable.isToCheck(value) || !out.beginCheck()) {
            writeElements(value, out);
            return;
        }
        try {
            int before = out.size();
            writeElements(value, out);
            ReadableContainers.check(this, value, out.array(), out.start() + before, out.size() - before);
        } finally {
            out.endCheck();
        }
    }

    private void writeElements(Collection<@Nullable Object> container, Output out) {
        Collection<@Nullable Object> value = view(container);
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

    @Override
    public boolean isToCheck(Collection<@Nullable Object> value) {
        return kind.refusals() != RefusedElements.NOTHING && readable.isToCheck(value);
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
            Object value = Moment.next(iterator, CHANGED);
            if (index == count - 1 && iterator.hasNext()) {
                throw new ConcurrentModificationException(CHANGED);
            }
            return value;
        }
    }

    @Override
    public CollectionCodec withElement(TypeCodec<Object> element) {
        return new CollectionCodec(element, kind);
    }

    @Override
    public Collection<@Nullable Object> view(Collection<@Nullable Object> value) {
        return Moment.of(value);
    }

    @Override
    public Collection<@Nullable Object> make(int count) {
        return kind.factory().apply(Math.min(count, CAPACITY_MAX));
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
