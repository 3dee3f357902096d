/**
 * Bytes in place: access to the bytes of a chunk, or of a value of a collection, without copying them.
 *
 * <p><b>Promise.</b> A view is checked against its bounds, its scope and its thread; every use after the end of the
 * scope throws. <b>Neighbours.</b> {@link io.teff.engine.Views} begins and ends views of chunks, the maps of
 * {@link io.teff.engine.collect} those of values. Start with {@link io.teff.engine.view.ChunkView}.
 */
@NullMarked
package io.teff.engine.view;

import org.jspecify.annotations.NullMarked;
