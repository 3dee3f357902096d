/**
 * Objects and bytes of Chronicle Bytes in chunks.
 *
 * <p><b>Promise.</b> A class that implements Chronicle's {@code BytesMarshallable} can be key, value or element of any
 * collection; Chronicle's {@code Bytes} access a chunk without a copy, inside a scope. Chronicle's analytics are off.
 * <b>Neighbours.</b> {@link io.teff.engine.codec.Codec}, {@link io.teff.engine.Views}. <b>Start here.</b>
 * {@link io.teff.bridge.chronicle.ChronicleCodec} and {@link io.teff.bridge.chronicle.ChunkBytes};
 * {@code docs/bridges/chronicle-bytes.md} lists the flags that Chronicle needs, and has an example.
 */
@NullMarked
package io.teff.bridge.chronicle;

import org.jspecify.annotations.NullMarked;
