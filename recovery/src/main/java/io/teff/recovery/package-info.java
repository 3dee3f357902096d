/**
 * The durable store: chunks that survive the process.
 *
 * <p><b>What lives here.</b> {@link io.teff.recovery.DurableStore}: the engine's store with a folder. Below it a log in
 * two levels. Small writes of all zones go together into a sequential primary log for safety only. Each zone, a range
 * of a million CIDs, also has its own secondary log of sealed, checksummed segments. Secondary logs are cleaned and
 * restored in parallel. Below a cluster, backup peers keep the copies of other peers' zones in the same log.
 *
 * <p><b>Promise.</b> Three levels, chosen per store or per block. <i>Memory</i>: a write is done when memory holds it.
 * <i>Logged</i>: a write is done when the kernel holds the write, so a killed process loses nothing. <i>Synced</i>: a
 * write is done when the device holds the write, so a power cut loses nothing. On every level: no torn value, no value
 * that was never written, no removed chunk that reappears, and damage is reported with its file and offset.
 *
 * <p><b>Fault model.</b> A killed process at any instruction; a power cut that keeps, drops or tears any subset of the
 * unsynced writes; flipped bits; a full disk; failing reads, writes and syncs. A failed sync is never tried again,
 * because the kernel may have forgotten the data: the log closes itself and says so.
 *
 * <p><b>The rooms.</b> {@code format} knows the bytes of all files, {@code log} is the open log and its way out, with
 * {@code log.file} for names and files, {@code log.read} for the way back in and {@code log.clean} for cleaning;
 * {@code tool} inspects and repairs a folder, {@code event} has the Flight Recorder events.
 *
 * <p><b>Neighbours.</b> Uses the engine's exported packages only, among them the seams of {@code io.teff.engine.os}.
 * Knows nothing of networks: a cluster hands entries to this module and reads them back.
 */
@NullMarked
package io.teff.recovery;

import org.jspecify.annotations.NullMarked;
