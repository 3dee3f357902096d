/**
 * Chunks and values of maps as buffers of Agrona, in place.
 *
 * <p><b>Promise.</b> What reads or writes a {@code DirectBuffer}, such as a flyweight of SBE, works on a chunk without
 * a copy, inside of a scope; after the scope it throws. No flag of the JVM is needed. <b>Neighbours.</b> The scopes are
 * those of {@link io.teff.engine.Views} and of the maps of {@link io.teff.engine.collect}. <b>Start here.</b> {@link
 * io.teff.bridge.agrona.ChunkBuffer}; {@code docs/bridges/agrona.md} has an example.
 */
@NullMarked
package io.teff.bridge.agrona;

import org.jspecify.annotations.NullMarked;
