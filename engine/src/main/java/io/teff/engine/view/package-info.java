/**
 * Bytes in place: what a scope may do with a chunk, or with a value of a collection, without copying it.
 *
 * <p><b>Promise.</b> A view is checked against its bounds, its scope and its thread; a copy of it that outlives the
 * scope throws. <b>Neighbours.</b> {@link io.teff.engine.Views} begins and ends views of chunks, the maps of {@link
 * io.teff.engine.collect} those of values. Read {@link io.teff.engine.view.ChunkView}.
 */
@NullMarked
package io.teff.engine.view;

import org.jspecify.annotations.NullMarked;
