/**
 * The log of a backup peer: keeps the changes of zones that other peers own.
 *
 * <p><b>Promise.</b> A record of a run is in the log as a whole or not at all, also after a crash. What was reported as
 * logged survives the end of the process, what was reported as synced survives a power cut. A copy has no hole: if it
 * has a record, it has all records before it that were appended to it. No append waits for a device.
 *
 * <p><b>Fault model.</b> That of {@code io.teff.recovery}. A run comes from another machine: each length, number and
 * CID in it is checked before anything is written. Its content has no checksum of its own until it is in the log;
 * transports that need one have one.
 *
 * <p><b>Neighbours.</b> {@code io.teff.recovery.log} writes and cleans the files, {@code format} knows their bytes; the
 * cluster decides which runs a copy takes. Start with {@link io.teff.recovery.backup.BackupLog}; the bytes of a run are
 * drawn in {@code docs/CLUSTER.md}.
 */
@NullMarked
package io.teff.recovery.backup;

import org.jspecify.annotations.NullMarked;
