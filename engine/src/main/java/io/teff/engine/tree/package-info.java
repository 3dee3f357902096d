/**
 * Sorted maps in chunks.
 *
 * <p><b>Promise.</b> The contract of {@link io.teff.engine.collect}. Readers take no lock and write nothing shared.
 * Splitting and joining tree nodes hides no entry from them. The memory of removed entries is reclaimed.
 * <b>Neighbours.</b> Below are the chunk operations of {@link io.teff.engine.storage.CollectionChunks}, above are the
 * interfaces of {@code collect}. <b>Start</b> with {@link io.teff.engine.tree.NodeLayout}, then read {@link
 * io.teff.engine.tree.BLinkTree}, {@link io.teff.engine.tree.TreeGrowth}, {@link io.teff.engine.tree.TreeCursor} and
 * {@link io.teff.engine.tree.ChunkTreeMap}.
 */
@NullMarked
package io.teff.engine.tree;

import org.jspecify.annotations.NullMarked;
