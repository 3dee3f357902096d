package io.teff.engine.collect;

import java.util.Queue;

/**
 * A queue in chunks: first in, first out, without a bound but the store's memory.
 *
 * <p>Any number of threads; those who add and those who take do not wait for each other. Null is refused. Iteration is
 * weakly consistent: it never fails, and shows in order each element that stays. {@code remove} of an element in the
 * middle marks it; its bytes go when those before it are taken.
 *
 * @param <E> type of the elements
 */
public interface ChunkQueue<E> extends Queue<E>, ChunkCollection {}
