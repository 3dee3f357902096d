/**
 * The folder of a log: names and files, the manifest, sizes, and what a failure of the disk means for the log.
 *
 * <pre>
 *  folder ─┬─ lock                exclusive for the log that writes, shared for readers
 *          ├─ manifest-N          zones and segments; the highest number that can be read counts
 *          ├─ manifest-copy-N     the same bytes
 *          ├─ buffer              the write buffer, mapped
 *          ├─ primary-N           frames of small changes, trimmed when everything in them is in segments
 *          └─ segments/           secondary logs, one file per segment
 * </pre>
 * <b>Promise.</b> A name in the manifest always leads to a file whose head is on the device. A file without a name is
 * a leftover and is deleted. After the first failure of a write or a sync nothing is written any more.
 *
 * <p><b>Neighbours.</b> The rooms {@code log}, {@code log.read} and {@code log.clean} use this one; it uses
 * {@code io.teff.recovery.format} for the bytes and the disk of {@code io.teff.engine.os}. Start with
 * {@link io.teff.recovery.log.file.LogFolder} and {@link io.teff.recovery.log.file.ManifestFile}.
 */
@NullMarked
package io.teff.recovery.log.file;

import org.jspecify.annotations.NullMarked;
