/**
 * Partial reading and writing: derived codecs over windows that may end at any byte.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.codec.partial.StackWriter} produces exactly the bytes of a write by the
 * codec at once, and {@link io.teff.engine.codec.partial.StackReader} the value of a read by the codec at once, for any
 * ends of windows. Both keep an explicit stack on the heap instead of the thread's, so nesting is limited by a constant
 * and not by the thread. Memory grows with the bytes that have arrived, not with the counts they announce.
 *
 * <p><b>Fault model.</b> The bytes are hostile: counts are checked against the bytes that may still arrive.
 *
 * <p><b>Neighbours.</b> {@code codec.type} has the codecs that are interpreted here; {@code codec.schema} makes readers
 * and writers. A value of another version needs nothing special: the layout is the writer's layout, and only the
 * constructor differs.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.codec.partial.StackReader}, then
 * {@link io.teff.engine.codec.partial.ReaderStack}: one {@link io.teff.engine.codec.partial.TypeReader} per value that
 * is incomplete.
 */
@NullMarked
package io.teff.engine.codec.partial;

import org.jspecify.annotations.NullMarked;
