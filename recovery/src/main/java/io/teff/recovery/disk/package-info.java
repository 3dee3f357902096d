/**
 * The seam to the disk: the only way from the log to files, so that each call can be made to fail.
 *
 * <p><b>Promise.</b> A call does all that it says or throws. A full disk is told apart from a broken one, for the log
 * waits for the one and closes itself for the other. A sync that failed is never tried again, because the kernel may
 * have dropped what it could not write and would say that all is well: the file remembers and refuses.
 *
 * <p><b>What is synced.</b> The bytes and size of a file by {@link io.teff.recovery.disk.DiskFile#force}, the names in
 * a folder by {@link io.teff.recovery.disk.Disk#forceFolder}; what was stored to mapped memory never. Anything else may
 * be there or not after a power cut, in any combination.
 *
 * <p><b>Neighbours.</b> Knows nothing of what is in the files; {@code io.teff.recovery.format} does. The log's threads
 * must not be interrupted while they are here, or the JDK closes their files. Start with
 * {@link io.teff.recovery.disk.Disk}.
 */
@NullMarked
package io.teff.recovery.disk;

import org.jspecify.annotations.NullMarked;
