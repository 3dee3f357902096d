/**
 * The parts common to all maps in chunks.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.map.AtomicMap} implements the contract of {@code ConcurrentMap} by one
 * operation that finds and changes an entry. The views of keys, values and entries are built on one walk, {@link
 * io.teff.engine.map.EntryCursor}. {@link io.teff.engine.map.SortedMapRange} does the same for the contract of {@code
 * ConcurrentNavigableMap}, by walks between two keys. <b>Neighbours.</b> The packages {@code hash} and {@code tree}
 * implement both, and define how entries lie in chunks. <b>Start</b> with {@link io.teff.engine.map.AtomicMap}.
 */
@NullMarked
package io.teff.engine.map;

import org.jspecify.annotations.NullMarked;
