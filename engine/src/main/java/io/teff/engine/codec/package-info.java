/**
 * Objects as bytes.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.codec.Schema} makes a codec of a record, class, enum, sealed type, array or
 * value type without any configuration, or says which field it cannot handle. Writing allocates nothing, but for what
 * {@code docs/OBJECTS.md} names; fields of fixed size have offsets for access in place; writing and reading can stop
 * at any byte; another version of the types is read by name.
 *
 * <p><b>Fault model.</b> Bytes and descriptions may come from anywhere. What is wrong with them is a {@link
 * io.teff.engine.codec.MalformedException} or a {@link io.teff.engine.codec.SchemaException}, before anything is
 * allocated for it. No class is looked up by a name from bytes.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.TypedChunks} keeps objects in a store. {@link
 * io.teff.engine.codec.Codec} is the seam for codecs written by hand, {@link io.teff.engine.codec.Output} and {@link
 * io.teff.engine.codec.Input} are what they write to and read from.
 */
@NullMarked
package io.teff.engine.codec;

import org.jspecify.annotations.NullMarked;
