package io.teff.engine.collect;

import java.util.List;
import java.util.RandomAccess;

/**
 * A list in chunks, divided into segments of {@value #SEGMENT} elements. The time of a get, set or append does not
 * depend on the index. An insertion or removal in the middle moves one element of each segment behind it.
 *
 * <p>Thread-safe. Readers take no lock; writers exclude each other. An operation on one element is atomic; operations
 * on several elements, such as {@code addAll} and {@code sort}, are not. Null is rejected. Iteration is weakly
 * consistent: it never fails, proceeds by index, and ends at the current end of the list; an iterator removes or
 * replaces the last shown element, even if the element was moved meanwhile, and does nothing if the element was removed
 * or replaced. A {@code subList} or {@code reversed} list may be used by one thread at a time, and only while the
 * length of the list does not change.
 *
 * <p>Searches such as {@code indexOf} and {@code remove(Object)} see the list at one moment. {@code removeIf}, {@code
 * removeAll}, {@code retainAll}, {@code replaceAll} and {@code sort} exclude other writers from start to end; readers
 * see their steps. A function or comparator that changes the list meanwhile gets an {@link IllegalStateException}.
 *
 * @param <E> type of the elements
 */
public interface ChunkList<E> extends List<E>, RandomAccess, ChunkCollection {
    /** Elements per segment. */
    int SEGMENT = 64;

    /**
     * Returns the element at an index, which may exceed the range of an {@code int}.
     *
     * @param index from 0
     * @return a new object
     * @throws IndexOutOfBoundsException if the list is shorter
     */
    E getAt(long index);

    /**
     * Replaces the element at an index.
     *
     * @param index from 0
     * @param element not null
     * @throws IndexOutOfBoundsException if the list is shorter
     */
    void setAt(long index, E element);
}
