package io.teff.cluster.client;

import io.teff.cluster.client.CollectionCalls.Outcome;
import io.teff.cluster.client.CollectionCalls.Page;
import io.teff.cluster.client.CollectionCalls.PageEntry;
import io.teff.cluster.operation.CollectionMode;
import io.teff.cluster.operation.OperationFormat;
import io.teff.engine.codec.Codec;
import io.teff.engine.collect.ChunkList;
import java.util.AbstractList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A list of a cluster: each operation on an element is done at the owner of the list, once. Thread-safe.
 *
 * <p><b>Long elements.</b> The slot of a change has no room for a long element. Then nothing is changed, and the client
 * reads the element with the revision of the list, and replaces or removes the element if it is still the same one, at
 * the same index.
 *
 * @param <E> type of the elements
 */
final class RemoteList<E> extends AbstractList<E> implements ChunkList<E> {
    private static final byte[] NO_BYTES = new byte[0];

    private final CollectionCalls calls;
    private final Codec<E> codec;

    RemoteList(CollectionCalls calls, Codec<E> codec) {
        this.calls = calls;
        this.codec = codec;
    }

    CollectionCalls calls() {
        return calls;
    }

    E object(byte[] bytes) {
        return CollectionCalls.object(codec, bytes);
    }

    byte[] bytes(E element) {
        return CollectionCalls.element(codec, Objects.requireNonNull(element));
    }

    private IndexOutOfBoundsException outside(long index) {
        return new IndexOutOfBoundsException("index " + index + " of " + longSize() + " elements");
    }

    private static NoSuchElementException empty() {
        return new NoSuchElementException("the list is empty");
    }

    // ---- one element ----

    @Override
    public E get(int index) {
        return getAt(index);
    }

    @Override
    public E getAt(long index) {
        final byte[] found = index < 0 ? null : calls.value(CollectionMode.LIST_GET, index);
        if (found == null) {
            throw outside(index);
        }
        return object(found);
    }

    private E end(long index) {
        final byte[] found = calls.value(CollectionMode.LIST_GET, index);
        if (found == null) {
            throw empty();
        }
        return object(found);
    }

    @Override
    public E getFirst() {
        return end(0);
    }

    @Override
    public E getLast() {
        return end(CollectionMode.LAST);
    }

    @Override
    public boolean add(E element) {
        calls.change(CollectionMode.LIST_ADD, 0, 0, bytes(element));
        return true;
    }

    @Override
    public void add(int index, E element) {
        final byte[] bytes = bytes(element);
        if (index < 0 || !calls.change(CollectionMode.LIST_INSERT, index, 0, bytes).isDone()) {
            throw outside(index);
        }
    }

    @Override
    public void setAt(long index, E element) {
        final byte[] bytes = bytes(element);
        if (index < 0 || !calls.change(CollectionMode.LIST_PUT, index, 0, bytes).isDone()) {
            throw outside(index);
        }
    }

    @Override
    public E set(int index, E element) {
        final byte[] bytes = bytes(element);
        final byte[] before = index < 0 ? null : taken(CollectionMode.LIST_SET, CollectionMode.LIST_SET_SAME, index,
            bytes);
        if (before == null) {
            throw outside(index);
        }
        return object(before);
    }

    @Override
    public E remove(int index) {
        final byte[] before = index < 0 ? null : taken(CollectionMode.LIST_REMOVE, CollectionMode.LIST_REMOVE_SAME,
            index, NO_BYTES);
        if (before == null) {
            throw outside(index);
        }
        return object(before);
    }

    @Override
    public E removeFirst() {
        final byte[] before = taken(CollectionMode.LIST_REMOVE, CollectionMode.LIST_REMOVE_SAME, 0, NO_BYTES);
        if (before == null) {
            throw empty();
        }
        return object(before);
    }

    @Override
    public E removeLast() {
        final byte[] before = taken(CollectionMode.LIST_REMOVE, CollectionMode.LIST_REMOVE_LAST, CollectionMode.LAST,
            NO_BYTES);
        if (before == null) {
            throw empty();
        }
        return object(before);
    }

    /** Makes a change that returns the element before; null if there is no such index. */
    private byte @Nullable [] taken(CollectionMode mode, CollectionMode ifSame, long index, byte[] bytes) {
        while (true) {
            final Outcome outcome = calls.change(mode, index, 0, bytes);
            if (!outcome.isTooLong()) {
                return outcome.value();
            }
            final Page page = index == CollectionMode.LAST
                ? calls.page(CollectionMode.LIST_PAGE_BACK, Long.MAX_VALUE, 0)
                : calls.page(CollectionMode.LIST_PAGE, index, 0);
            final PageEntry entry = page.entries().isEmpty() ? null : page.entries().getFirst();
            if (entry != null && entry.key().length > 0
                && calls.change(ifSame, entry.number(), page.result(), bytes).isDone()) {
                return entry.value();
            }
        }
    }

    // ---- searches ----

    private long first(@Nullable Object element) {
        calls.checkOpen();
        if (element == null) {
            return -1;
        }
        final RemoteListWalk<E> walk = new RemoteListWalk<>(this, 0);
        while (walk.hasNext()) {
            if (element.equals(walk.next())) {
                return walk.shownIndex();
            }
        }
        return -1;
    }

    @Override
    public int indexOf(@Nullable Object element) {
        return (int) Math.min(first(element), Integer.MAX_VALUE);
    }

    @Override
    public int lastIndexOf(@Nullable Object element) {
        calls.checkOpen();
        if (element == null) {
            return -1;
        }
        final RemoteListWalk<E> walk = new RemoteListWalk<>(this, Long.MAX_VALUE);
        while (walk.hasPrevious()) {
            if (element.equals(walk.previous())) {
                return (int) Math.min(walk.shownIndex(), Integer.MAX_VALUE);
            }
        }
        return -1;
    }

    @Override
    public boolean contains(@Nullable Object element) {
        return first(element) >= 0;
    }

    @Override
    public boolean remove(@Nullable Object element) {
        calls.checkOpen();
        RemoteListWalk<E> walk = new RemoteListWalk<>(this, 0);
        while (element != null && walk.hasNext()) {
            if (element.equals(walk.next())) {
                if (walk.isShownRemoved()) {
                    return true;
                }
                walk = new RemoteListWalk<>(this, 0);           // others have removed or replaced the element
            }
        }
        return false;
    }

    // ---- walks ----

    @Override
    public Iterator<E> iterator() {
        calls.checkOpen();
        return new RemoteListWalk<>(this, 0);
    }

    @Override
    public ListIterator<E> listIterator(int index) {
        if (index < 0 || index > longSize()) {
            throw outside(index);
        }
        return new RemoteListWalk<>(this, index);
    }

    @Override
    public Spliterator<E> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL);
    }

    // ---- many elements ----

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        return calls.addAll(CollectionMode.LIST_ADD, CollectionMode.LIST_ADD_ALL, codec, elements);
    }

    /** Removes the elements from the end until none is left. */
    @Override
    public void clear() {
        while (calls.change(CollectionMode.LIST_TRUNCATE, Long.MAX_VALUE, 0).result() > 0) {
            calls.checkOpen();
        }
    }

    /** For sub lists, which are used while the length of the list does not change otherwise. */
    @Override
    protected void removeRange(int from, int end) {
        for (long left = (long) end - from; left > 0; ) {
            final long removed = calls.change(CollectionMode.LIST_REMOVE_RANGE, from, left).result();
            left = removed == 0 ? 0 : left - removed;
        }
    }

    @Override
    public boolean removeIf(Predicate<? super E> test) {
        Objects.requireNonNull(test);
        boolean isChanged = false;
        final RemoteListWalk<E> walk = new RemoteListWalk<>(this, 0);
        while (walk.hasNext()) {
            isChanged |= test.test(walk.next()) && walk.isShownRemoved();
        }
        return isChanged;
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

    @Override
    public void replaceAll(UnaryOperator<E> function) {
        Objects.requireNonNull(function);
        final RemoteListWalk<E> walk = new RemoteListWalk<>(this, 0);
        while (walk.hasNext()) {
            walk.set(function.apply(walk.next()));
        }
    }

    /** Not supported: other clients would see, and change, a list that is half sorted. */
    @Override
    public void sort(@Nullable Comparator<? super E> order) {
        throw new UnsupportedOperationException("a list of a cluster is not sorted in place, because other clients may "
            + "change the list meanwhile; sort a copy, or use a sorted map");
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
