package io.teff.cluster.client;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.client.CollectionCalls.Outcome;
import io.teff.cluster.client.CollectionCalls.Page;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkQueue;
import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue of a cluster: each operation on an element is done at the owner of the queue, once. Thread-safe.
 *
 * <p><b>Long elements.</b> The slot of a change has no room for a long element. Then nothing is removed, and the client
 * reads the first element with its place, and removes the element at this place. No other element ever gets the place,
 * and no element gets in front of the first one; so the removed element is the first one at the moment of its removal.
 *
 * @param <E> type of the elements
 */
final class RemoteQueue<E> extends AbstractQueue<E> implements ChunkQueue<E> {
    private final CollectionCalls calls;
    private final FormCodec<E> codec;

    RemoteQueue(CollectionCalls calls, FormCodec<E> codec) {
        this.calls = calls;
        this.codec = codec;
    }

    ClusterClient client() {
        return calls.client();
    }

    /** Begins a stream of the changes of this queue. */
    ChangeStream<Long, E> watch(WatchOptions options) {
        if (options.key() != null || options.prefix() != null) {
            throw new IllegalArgumentException("a stream of a queue shows all elements");
        }
        calls.checkOpen();
        return new RemoteChanges<>(new WatchedCollection<>(calls, Codecs.LONG, codec), Codecs.LONG, options);
    }

    @Override
    public boolean offer(E element) {
        calls.change(CollectionMode.QUEUE_OFFER, 0, 0, CollectionCalls.element(codec, Objects.requireNonNull(element)));
        return true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality")                      // the contract of queues
    public boolean addAll(Collection<? extends E> elements) {
        if (elements == this) {
            throw new IllegalArgumentException("a queue is added to itself");
        }
        return calls.addAll(CollectionMode.QUEUE_OFFER, CollectionMode.QUEUE_OFFER_ALL, codec, elements);
    }

    @Override
    public @Nullable E poll() {
        Outcome outcome = calls.change(CollectionMode.QUEUE_POLL, 0, 0);
        while (outcome.isTooLong()) {
            final List<PageEntry> first = calls.page(CollectionMode.QUEUE_PAGE, 0, 0).entries();
            if (!first.isEmpty()) {
                final E element = CollectionCalls.object(codec, first.getFirst().value());
                if (isRemoved(first.getFirst())) {
                    return element;
                }
            }
            outcome = calls.change(CollectionMode.QUEUE_POLL, 0, 0);
        }
        final byte[] value = outcome.value();
        return value == null ? null : CollectionCalls.object(codec, value);
    }

    /** Removes the element at a place; returns whether it was there. */
    private boolean isRemoved(PageEntry place) {
        return calls.change(CollectionMode.QUEUE_REMOVE, place.number(), place.at()).isDone();
    }

    @Override
    public @Nullable E peek() {
        final byte[] value = calls.value(CollectionMode.QUEUE_PEEK, 0);
        return value == null ? null : CollectionCalls.object(codec, value);
    }

    @Override
    public boolean skip() {
        return calls.change(CollectionMode.QUEUE_SKIP, 1, 0).result() > 0;
    }

    /** Removes the elements that the queue has now. */
    @Override
    public void clear() {
        long left = longSize();
        while (left > 0) {
            final long removed = calls.change(CollectionMode.QUEUE_SKIP, left, 0).result();
            left = removed == 0 ? 0 : left - removed;
        }
    }

    // ---- walks ----

    /** A walk, page by page; the place of the last shown element says where the next page begins. */
    private final class Walk implements Iterator<E> {
        private Page page = new Page(1, List.of());
        private int next;
        private @Nullable PageEntry last;
        private @Nullable PageEntry shown;

        @Override
        public boolean hasNext() {
            while (next == page.entries().size()) {
                if (page.result() == 0) {
                    return false;
                }
                final PageEntry behind = last;
                page = behind == null ? calls.page(CollectionMode.QUEUE_PAGE, 0, 0)
                    : calls.page(CollectionMode.QUEUE_PAGE, behind.number(), behind.at());
                next = 0;
            }
            return true;
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            final PageEntry entry = page.entries().get(next++);
            last = entry;
            shown = entry;
            return CollectionCalls.object(codec, entry.value());
        }

        /** Removes the shown element; returns whether it was still in the queue. */
        boolean isShownRemoved() {
            final PageEntry entry = shown;
            if (entry == null) {
                throw new IllegalStateException("remove() needs a next() before it");
            }
            shown = null;
            return isRemoved(entry);
        }

        @Override
        public void remove() {
            isShownRemoved();
        }
    }

    @Override
    public Iterator<E> iterator() {
        calls.checkOpen();
        return new Walk();
    }

    @Override
    public Spliterator<E> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
    }

    @Override
    public boolean remove(@Nullable Object element) {
        calls.checkOpen();
        return element != null && remove(element::equals, false);
    }

    @Override
    public boolean removeIf(Predicate<? super E> test) {
        return remove(Objects.requireNonNull(test), true);
    }

    @Override
    public boolean removeAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(others::contains);
    }

    @Override
    public boolean retainAll(Collection<?> others) {
        Objects.requireNonNull(others);
        return removeIf(element -> !others.contains(element));
    }

    /**
     * Removes the first element that a test accepts, or all such elements; returns whether this call removed any
     * element. An element never moves nor changes, so the removed element is the tested element.
     */
    private boolean remove(Predicate<? super E> test, boolean isAll) {
        boolean isChanged = false;
        final Walk walk = new Walk();
        while (walk.hasNext() && (isAll || !isChanged)) {
            isChanged |= test.test(walk.next()) && walk.isShownRemoved();
        }
        return isChanged;
    }

    // ---- sizes ----

    @Override
    public int size() {
        return (int) Math.min(longSize(), Integer.MAX_VALUE);
    }

    @Override
    public boolean isEmpty() {
        return longSize() == 0;
    }

    @Override
    public long longSize() {
        return calls.number(OperationFormat.MAP_ENTRIES);
    }

    @Override
    public long memoryBytes() {
        return calls.number(OperationFormat.MAP_MEMORY);
    }

    @Override
    public void audit() {
        calls.number(OperationFormat.MAP_AUDIT);
    }
}
