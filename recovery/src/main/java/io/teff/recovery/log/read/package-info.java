/**
 * The way back in: reads the files of a log and changes none of them.
 *
 * <p><b>Promise.</b> Every entry is checked before it is shown. Parts that should be present and cannot be read are
 * reported with its file and offset; nothing is skipped silently. A log that was killed or lost power is read from the
 * manifest, the segments, the frames of the primary log and the write buffer, each one where it counts.
 *
 * <p><b>Neighbours.</b> {@code log.file} below; {@code log} reads through this room when it opens a log,
 * {@code log.clean} when it copies entries, the tools when they inspect a log. Start with
 * {@link io.teff.recovery.log.read.LogReader}.
 */
@NullMarked
package io.teff.recovery.log.read;

import org.jspecify.annotations.NullMarked;
