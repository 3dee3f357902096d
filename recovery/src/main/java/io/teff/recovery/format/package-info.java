/**
 * The bytes of the log: how each of its files is written and read, without a file.
 *
 * <p><b>Promise.</b> A reader hands out what was written, byte for byte and with its number, or nothing; it says what
 * is missing and where. It throws nothing but what its visitor throws, whatever bytes it is given.
 *
 * <p><b>Fault model.</b> Any bits flipped, a file cut at any byte, any part of what was not synced missing or torn at
 * any byte, old content of the same place behind new one, and chunks whose payload was made to look like the log: the
 * stamps that the log is read by depend on a random salt that is nowhere but in the log's own files.
 *
 * <p><b>Three rules.</b> What is written in one go has one checksum, so a torn write is seen. What is read by its place
 * carries its place ({@link io.teff.recovery.format.Stamp}), so a misplaced or old write is seen. Lengths are checked
 * before they are used, so nothing else can go wrong. What is not known to be synced may be torn, which is normal after
 * a crash; what is known to be synced and not whole is damage, and each file tells the two apart by itself.
 *
 * <p><b>Neighbours.</b> Needs the parts of a CID from the engine, and nothing else; {@code io.teff.recovery.disk} moves
 * the bytes. Every byte is drawn in the classes and in {@code docs/FORMATS.md}. Start with
 * {@link io.teff.recovery.format.Stamp}, then {@link io.teff.recovery.format.RingRecord} for the way in and
 * {@link io.teff.recovery.format.SegmentLayout} for where things stay.
 */
@NullMarked
package io.teff.recovery.format;

import org.jspecify.annotations.NullMarked;
