/**
 * The codecs of which a derived codec is composed: one {@link io.teff.engine.codec.type.TypeCodec} for each type that
 * occurs in a schema.
 *
 * <p><b>Promise.</b> Each class here defines the bytes of one kind of type; {@code docs/OBJECTS.md} has them in one
 * place. Values of fixed size can be put at an index inside their surroundings; values of variable size follow each
 * other. Writing allocates nothing but the allocations named in {@code docs/OBJECTS.md}.
 *
 * <p><b>Fault model.</b> Bytes are hostile: counts, null bits, numbers of constants and subclasses are checked before
 * they are used.
 *
 * <p><b>Neighbours.</b> {@code codec.schema} composes these codecs and generates those of structs; {@code
 * codec.partial} interprets them over windows. Nothing here knows either: {@link io.teff.engine.codec.type.DeepCodec}
 * is the seam by which very deep values leave the thread's stack.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.codec.type.TypeCodec}, {@link io.teff.engine.codec.type.FieldLayout} (the
 * drawing of a struct), {@link io.teff.engine.codec.type.SequenceCodec}, {@link
 * io.teff.engine.codec.type.Description} (the text of a schema).
 */
@NullMarked
package io.teff.engine.codec.type;

import org.jspecify.annotations.NullMarked;
