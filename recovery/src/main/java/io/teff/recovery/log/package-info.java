/**
 * The log itself: files that changes go to, and come back from.
 *
 * <pre>
 *  threads ──> WriteBuffer ──> Drainer ──> PrimaryLog: frames          ManifestFile: which of all this counts
 *                                 │
 *                                 └──────> Zones ──> ZoneLog, one per zone: buffer, open segment
 *
 *  after a crash: CrashedLog (frames, ring) ──> CrashRecovery ──> Zones      then ZoneReader ──> whoever restores
 *                          └──────────────────> LogReader, with ZoneReader, changes nothing ──> whoever looks
 * </pre>
 *
 * <p><b>State.</b> Being built: a log is written, opened and recovered; it is not cleaned yet.
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
 * package knows when. Start with {@link io.teff.recovery.log.RecoveryLog} and
 * {@link io.teff.recovery.log.WriteBuffer}, then {@link io.teff.recovery.log.Drainer} for the way out and
 * {@link io.teff.recovery.log.LogParts} for the way back.
 */
@NullMarked
package io.teff.recovery.log;

import org.jspecify.annotations.NullMarked;
