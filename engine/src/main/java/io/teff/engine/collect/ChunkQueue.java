package io.teff.engine.collect;

import java.util.Queue;

/**
 * A first-in-first-out queue in chunks, bounded only by the store's memory.
 *
 * <p>Thread-safe; producers and consumers do not wait for each other. Null is rejected. Iteration is weakly consistent:
 * it never fails, and returns each element that stays in the queue, in order. Removing an element from the middle marks
 * it; its bytes are freed when all elements before it are consumed.
 *
 * @param <E> type of the elements
 */
public interface ChunkQueue<E> extends Queue<E>, ChunkCollection {}
