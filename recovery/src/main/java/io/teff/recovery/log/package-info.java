/**
 * The open log and its way out: changes enter the write buffer and end up in sealed segments.
 *
 * <pre>
 *  threads ──> WriteBuffer ──> Drainer ──> PrimaryLog: frames
 *                                 │
 *                                 └──────> Zones ──> ZoneLog, one per zone: buffer, open segment
 *
 *  rooms:  log ──> log.clean ──> log.read ──> log.file ──> format
 * </pre>
 *
 * <p><b>Promise.</b> A record committed to the {@link io.teff.recovery.log.WriteBuffer} survives the process, because
 * the buffer is mapped and the kernel has its bytes. Order is kept: the number of a record is its position, and the
 * position is claimed while the lock of the chunk or of the collection is held.
 *
 * <p><b>Fault model.</b> That of {@code io.teff.recovery}. A failed write or sync closes the log permanently: all
 * waiting threads wake up and get a {@link io.teff.recovery.log.file.LogClosedException} with the first cause, which
 * {@link io.teff.recovery.log.file.LogFailure} keeps. A full disk is not a failure, because it can pass.
 *
 * <p><b>Threads.</b> Any number of threads claim and commit. One thread, the drainer, writes everything else; a second
 * one cleans. Neither may be interrupted, because the JDK then closes their files.
 *
 * <p><b>Neighbours.</b> {@code log.file} knows the names of the files, {@code format} the bytes of the files,
 * {@code log.read} reads files back, {@code log.clean} rewrites files. Start with
 * {@link io.teff.recovery.log.RecoveryLog} and {@link io.teff.recovery.log.WriteBuffer}, then
 * {@link io.teff.recovery.log.Drainer} for the way out and {@link io.teff.recovery.log.OpenLog} for opening.
 */
@NullMarked
package io.teff.recovery.log;

import org.jspecify.annotations.NullMarked;
