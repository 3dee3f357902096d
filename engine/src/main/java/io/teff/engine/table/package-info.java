/**
 * From CID to chunk: entry words, the paged table of each creator, and the ids of the own one.
 *
 * <p><b>Promise.</b> An entry is read and written whole; its generation decides whether a CID is still the same chunk.
 * An index whose 256 generations are used up is never issued again. <b>Threads.</b> Looking up needs no lock; who
 * changes an entry holds its stripe, or owns the index because nobody knows its CID yet. <b>Neighbours.</b> Pages come
 * from
 * {@code alloc}. Read {@link io.teff.engine.table.CidLayout}, {@link io.teff.engine.table.EntryWord}, then
 * {@link io.teff.engine.table.Table} and {@link io.teff.engine.table.IdAllocator}.
 */
@NullMarked
package io.teff.engine.table;

import org.jspecify.annotations.NullMarked;
