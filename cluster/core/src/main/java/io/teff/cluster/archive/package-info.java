/**
 * Backups of clusters: zones are read from their owners while the zones are in use, kept in files, and filled again.
 *
 * <p><b>Promise.</b> A file has the state of a zone at one number: all changes up to the number, and no later change.
 * Damage of a file is found by its checksums and named. <b>Fault model.</b> Owners end or change, connections break,
 * the process of the backup ends at any moment, files are cut, changed or missing. <b>Neighbours.</b> A peer registers
 * {@link io.teff.cluster.archive.ArchiveService}; package {@code control} reads and fills zones by requests. Start with
 * {@link io.teff.cluster.archive.ZoneReading}.
 */
@NullMarked
package io.teff.cluster.archive;

import org.jspecify.annotations.NullMarked;
