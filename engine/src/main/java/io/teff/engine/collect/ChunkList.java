package io.teff.engine.collect;

import java.util.List;
import java.util.RandomAccess;

/**
 * A list in chunks, in segments of {@value #SEGMENT} elements. Gets, sets and appends take the same time wherever they
 * are; an insert or removal in the middle moves one element of each segment behind it.
 *
 * <p>Any number of threads. Readers take no lock; changes wait for each other. Each operation on one element is atomic;
 * those on many, like {@code addAll} and {@code sort}, are not. Null is refused. Iteration is weakly consistent: it
 * never fails, goes by index, and ends where the list ends then. {@code subList} is for one thread at a time, while
 * nobody changes the length of the list.
 *
 * @param <E> type of the elements
 */
public interface ChunkList<E> extends List<E>, RandomAccess, ChunkCollection {
    /** Elements of a segment. */
    int SEGMENT = 64;

    /**
     * The element at an index, which may be more than an {@code int} has room for.
     *
     * @param index from 0
     * @return a new object
     * @throws IndexOutOfBoundsException if there are not so many
     */
    E getAt(long index);

    /**
     * Replaces the element at an index.
     *
     * @param index from 0
     * @param element not null
     * @throws IndexOutOfBoundsException if there are not so many
     */
    void setAt(long index, E element);
}
