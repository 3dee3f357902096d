/**
 * The log itself: files that changes go to, and come back from.
 *
 * <pre>
 *  threads ──> WriteBuffer ──> ... ──> PrimaryLog          ManifestFile: what counts
 *                              ... ──> Zones ──> ZoneLog, one per zone: buffer, open segment, sealed segments
 * </pre>
 *
 * <p><b>State.</b> Being built: the write buffer, the primary log, the manifest and the secondary logs stand, each for
 * itself; the drainer between them, and opening, follow.
 *
 * <p><b>Promise.</b> What is committed to the {@link io.teff.recovery.log.WriteBuffer} survives the process: it is the
 * kernel's by then. No order is lost, for a record's number is its position, which is claimed while the chunk's stripe
 * or the collection's lock is held.
 *
 * <p><b>Fault model.</b> That of {@code io.teff.recovery}. A write or sync that fails closes the log for ever: whoever
 * waits is woken, and gets a {@link io.teff.recovery.log.LogClosedException} with the first cause, which
 * {@link io.teff.recovery.log.LogFailure} keeps. A full disk is no failure: it can pass.
 *
 * <p><b>Threads.</b> Any number of threads claim and commit; one, the drainer, does all the rest and is the only one to
 * call the disk. Nobody interrupts it.
 *
 * <p><b>Neighbours.</b> {@code io.teff.recovery.format} knows the bytes, {@code io.teff.recovery.disk} moves them; this
 * package knows when. Start with {@link io.teff.recovery.log.WriteBuffer}.
 */
@NullMarked
package io.teff.recovery.log;

import org.jspecify.annotations.NullMarked;
