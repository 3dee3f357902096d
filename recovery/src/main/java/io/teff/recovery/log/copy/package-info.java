/**
 * A copy of a log as of a single moment, in a folder of its own, while the log may be in use.
 *
 * <p><b>Promise.</b> The copy has its final name only when complete, on the device, and read without damage. Until then
 * its name ends in {@code .unfinished}. After a failure nothing of the copy is left. Files of a killed process are
 * deleted by the next copy to the same place.
 *
 * <p><b>Neighbours.</b> {@code log} chooses the moment and keeps its segments from being deleted, {@code log.file}
 * writes the manifest, {@code log.read} reads the copy. Start with {@link io.teff.recovery.log.copy.FolderCopy}.
 */
@NullMarked
package io.teff.recovery.log.copy;

import org.jspecify.annotations.NullMarked;
