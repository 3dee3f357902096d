/**
 * Zero-copy access to the bytes of a chunk, or of a value of a collection, and described conditions on the bytes of
 * chunks.
 *
 * <p><b>Promise.</b> Every access through a view is checked against the bounds, scope and thread of the view; every use
 * after the end of the scope throws. <b>Neighbours.</b> {@link io.teff.engine.Views} begins and ends views of chunks;
 * the maps of {@link io.teff.engine.collect} begin and end views of values. Start with
 * {@link io.teff.engine.view.ChunkView}.
 */
@NullMarked
package io.teff.engine.view;

import org.jspecify.annotations.NullMarked;
