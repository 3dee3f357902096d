/**
 * What all maps in chunks have in common: the contract of {@code ConcurrentMap} made of one operation that finds and
 * changes an entry ({@link io.teff.engine.map.AtomicMap}), and the views of keys, values and entries made of one walk
 * ({@link io.teff.engine.map.EntryCursor}). How entries lie in chunks is in the packages {@code hash} and {@code tree}.
 */
@NullMarked
package io.teff.engine.map;

import org.jspecify.annotations.NullMarked;
