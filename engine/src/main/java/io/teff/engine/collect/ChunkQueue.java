package io.teff.engine.collect;

import java.util.Queue;

/**
 * A first-in-first-out queue in chunks, bounded only by the store's memory.
 *
 * <p>Thread-safe; producers and consumers do not wait for each other. Null is rejected. Iteration is weakly consistent:
 * it never fails, and returns each element that stays in the queue, in order. Removing an element from the middle marks
 * it; its bytes are freed when all elements before it are consumed. An element leaves the queue only when it has become
 * an object: if its codec throws in {@code poll} or {@code remove}, it stays the first.
 *
 * @param <E> type of the elements
 */
public interface ChunkQueue<E> extends Queue<E>, ChunkCollection {
    /**
     * Removes the first element without reading it. This passes an element that {@code poll} and {@code remove} cannot
     * return, because its codec throws.
     *
     * @return whether there was an element
     */
    boolean skip();
}
