/**
 * The way from a CID to its chunk: entry words, the paged table of each creator, and the allocation of the store's own
 * ids.
 *
 * <p><b>Promise.</b> An entry is read and written as one word. Its generation decides whether a CID still denotes the
 * same chunk. An index whose 256 generations are used up is never issued again. <b>Threads.</b> A lookup takes no
 * lock. A thread that changes an entry is inside the entry's stripe, or owns the index because no other thread knows
 * the CID yet. <b>Neighbours.</b> The table's pages are allocated by {@code alloc}. <b>Start</b> with {@link
 * io.teff.engine.table.CidLayout} and {@link io.teff.engine.table.EntryWord}, then read {@link
 * io.teff.engine.table.Table} and {@link io.teff.engine.table.IdAllocator}.
 */
@NullMarked
package io.teff.engine.table;

import org.jspecify.annotations.NullMarked;
