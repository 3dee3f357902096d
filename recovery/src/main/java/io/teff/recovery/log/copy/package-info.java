/**
 * A copy of a log as of one moment, in a folder of its own, while the log may be in use.
 *
 * <p><b>Promise.</b> The copy has its final name only when it is complete, on the device, and was read without damage.
 * Until then its name ends in {@code .unfinished}. After a failure nothing of it is left; what a killed process has
 * left is deleted by the next copy to that place.
 *
 * <p><b>Neighbours.</b> {@code log} chooses the moment and keeps its segments from being deleted, {@code log.file}
 * writes the manifest, {@code log.read} reads the copy. Start with {@link io.teff.recovery.log.copy.FolderCopy}.
 */
@NullMarked
package io.teff.recovery.log.copy;

import org.jspecify.annotations.NullMarked;
