/**
 * Sorted maps in chunks.
 *
 * <p><b>Promise.</b> That of {@link io.teff.engine.collect}. Readers take no lock and write nothing shared; a split or
 * a join of nodes hides no entry from them; memory of removed entries comes back. <b>Neighbours.</b> The store's {@link
 * io.teff.engine.storage.CollectionChunks} below, the interfaces of {@code collect} above. Read {@link
 * io.teff.engine.tree.NodeLayout}, {@link io.teff.engine.tree.BLinkTree}, {@link io.teff.engine.tree.TreeGrowth},
 * {@link io.teff.engine.tree.TreeCursor}, {@link io.teff.engine.tree.ChunkTreeMap}.
 */
@NullMarked
package io.teff.engine.tree;

import org.jspecify.annotations.NullMarked;
