/**
 * The bytes of the log: encodes and decodes each file of a log, without access to files.
 *
 * <p><b>Promise.</b> A reader returns written entries, byte for byte and with their numbers, or nothing; the reader
 * reports missing parts with their places. For any input, a reader throws nothing but the exceptions of its visitor.
 *
 * <p><b>Fault model.</b> Any bits flipped, a file cut at any byte, any unsynced part missing or torn at any byte, old
 * content of the same place behind new content, and chunks whose payload imitates the log: the stamps depend on a
 * random salt that is stored only in the log's own files.
 *
 * <p><b>Three rules.</b> Each write has a checksum, so a torn write is detected. Everything read by its place carries
 * this place ({@link io.teff.recovery.format.Stamp}), so a misplaced or old write is detected. Lengths are checked
 * before use, so nothing else can go wrong. An unsynced part may be torn, which is normal after a crash; a synced part
 * that is incomplete is damage, and each file distinguishes the two by itself.
 *
 * <p><b>Neighbours.</b> Uses the parts of a CID from the engine, and nothing else; the disk of
 * {@code io.teff.engine.os} moves the bytes. Every byte is drawn in the classes and in {@code docs/FORMATS.md}. Start
 * with {@link io.teff.recovery.format.Stamp}, then {@link io.teff.recovery.format.RingRecord} for the way in and
 * {@link io.teff.recovery.format.SegmentLayout} for the final place.
 */
@NullMarked
package io.teff.recovery.format;

import org.jspecify.annotations.NullMarked;
