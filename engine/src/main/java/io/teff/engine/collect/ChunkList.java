package io.teff.engine.collect;

import java.util.List;
import java.util.RandomAccess;

/**
 * A list in chunks, divided into segments of up to {@value #SEGMENT} elements. The time of an append does not depend on
 * the length of the list. The time of a get, a set, an insertion and a removal is logarithmic.
 *
 * <p>Thread-safe. Readers take no lock; writers exclude each other. An operation on one element is atomic; operations
 * on several elements, such as {@code addAll} and {@code sort}, are not. Null is rejected.
 *
 * <p>Iteration is weakly consistent: it never fails, and shows each element that is in the list throughout exactly
 * once, in the order of the list, whatever is inserted and removed meanwhile. It may show elements that were removed
 * after it has copied their segment. Elements that are added during the iteration are shown once or not at all. This
 * holds for iterators in both directions, for spliterators and their parts, for streams, and for the {@code reversed}
 * list. An iterator removes or replaces the last shown element, even if the element has another index now, and does
 * nothing if the element was removed or replaced. A {@code subList} may be used by one thread at a time, and only while
 * the length of the list does not change.
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
