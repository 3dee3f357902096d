/**
 * Maps whose entries expire, and maps with a limit: caches in the chunks of a store, in memory or durable.
 *
 * <p><b>Promise.</b> An entry that has expired is never seen, also after a restart. A map with a limit evicts entries
 * to keep the limit. A removed or replaced entry is reported once. One load of a key runs at a time. No thread is
 * started; writers do a bounded share of the work of cleaning.
 *
 * <p><b>Neighbours.</b> A cache is a hash map of {@code hash}, whose values begin with a deadline. What the eviction
 * knows of past accesses is in two arrays for the whole map, not at its entries. {@code docs/COLLECTIONS.md} explains
 * both.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.cache.CacheMap#builder} makes a cache in a store.
 */
@NullMarked
package io.teff.engine.cache;

import org.jspecify.annotations.NullMarked;
