/**
 * Chunks and values of maps as buffers of Agrona, in place.
 *
 * <p><b>Promise.</b> Code that reads or writes a {@code DirectBuffer}, such as a flyweight of SBE, works on a chunk
 * without a copy, inside a scope; after the scope it throws. No JVM flag is needed. <b>Neighbours.</b> Scopes are
 * opened by {@link io.teff.engine.Views} and the maps of {@link io.teff.engine.collect}. <b>Start here.</b>
 * {@link io.teff.bridge.agrona.ChunkBuffer}; {@code docs/bridges/agrona.md} has an example.
 */
@NullMarked
package io.teff.bridge.agrona;

import org.jspecify.annotations.NullMarked;
