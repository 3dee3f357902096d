/**
 * The ground floor of codecs: numbers and chars in byte arrays.
 *
 * <p><b>Promise.</b> Little-endian at any offset, no allocation except for a string that is read, bounds checked by the
 * array access itself. Nothing here knows a type, a schema or a position in an input.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.codec.Input} and {@link io.teff.engine.codec.Output} add the position and
 * the checks; generated code calls {@link io.teff.engine.codec.bytes.LittleEndian} directly.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.codec.bytes.Leb128} draws the numbers of variable length.
 */
@NullMarked
package io.teff.engine.codec.bytes;

import org.jspecify.annotations.NullMarked;
