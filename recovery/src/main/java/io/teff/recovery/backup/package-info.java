/**
 * The log of a backup peer: keeps the changes of other peers' zones.
 *
 * <p><b>Promise.</b> A record of a run is in the log as a whole or not at all, also after a crash. A record reported as
 * logged survives the end of the process, a record reported as synced survives a power cut. A copy has no hole: with a
 * record, the copy has all records appended before this record. No append waits for a device.
 *
 * <p><b>Fault model.</b> The fault model of {@code io.teff.recovery}. A run comes from another machine: each length,
 * number and CID of the run is checked before anything is written. The content has no checksum of its own before the
 * append to the log; transports that need a checksum have one.
 *
 * <p><b>Neighbours.</b> {@code io.teff.recovery.log} writes and cleans the files, {@code format} knows their bytes; the
 * cluster decides which runs a copy takes. Start with {@link io.teff.recovery.backup.BackupLog}; the bytes of a run are
 * drawn in {@code docs/CLUSTER.md}.
 */
@NullMarked
package io.teff.recovery.backup;

import org.jspecify.annotations.NullMarked;
