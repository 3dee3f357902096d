/**
 * Secondary indexes of maps, and queries over them.
 *
 * <p><b>Promise.</b> An index has each entry of its map at the bytes of the entry's fields, and changes together with
 * the map. A reader that finds an entry by an index has the entry as the map had it. A crash leaves map and index
 * equal. An index is built while the map is changed. <b>Fault model.</b> That of the store. A refused change, by a
 * unique index or for lack of memory, has changed nothing.
 *
 * <p><b>Neighbours.</b> The map is in {@code hash} and calls {@code EntryIndexes} at each change; the places are in
 * sorted maps of {@code tree}; {@code index} has the catalogue. {@code docs/INDEXES.md} has the design.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.query.IndexedMap#of} takes a map of a store.
 */
@NullMarked
package io.teff.engine.query;

import org.jspecify.annotations.NullMarked;
