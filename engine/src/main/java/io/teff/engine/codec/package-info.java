/**
 * Encodings of objects: the interfaces that codecs implement and their callers use.
 *
 * <p><b>Promise.</b> A {@link io.teff.engine.codec.Codec} writes values to an {@link io.teff.engine.codec.Output} and
 * reads them from an {@link io.teff.engine.codec.Input}. A {@link io.teff.engine.codec.PartialWriter} and a
 * {@link io.teff.engine.codec.PartialReader} do so in windows that may end at any byte.
 *
 * <p><b>Fault model.</b> Bytes may come from anywhere. Bytes that do not encode a value cause a {@link
 * io.teff.engine.codec.MalformedException} with the offset of the fault, before memory is allocated for them. A type or
 * description that no codec supports causes a {@link io.teff.engine.codec.SchemaException} that names the field. No
 * class is looked up by a name found in bytes.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.codec.schema} has ready-made codecs and derives codecs from types. Two
 * rooms below it are not exported: {@code codec.type} has the codecs of which a derived codec is composed, {@code
 * codec.partial} reads and writes any of them in windows. {@code codec.bytes} is the ground floor.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.codec.schema.Schema} to derive a codec, {@link
 * io.teff.engine.codec.Codec} to write one by hand, {@link io.teff.engine.TypedChunks} to keep objects in a store.
 */
@NullMarked
package io.teff.engine.codec;

import org.jspecify.annotations.NullMarked;
