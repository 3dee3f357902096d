/**
 * The way back in: reads the files of a log and changes no file.
 *
 * <p><b>Promise.</b> Every entry is checked before it is shown. Missing and unreadable parts are reported with file and
 * offset; nothing is skipped silently. After a kill or a power cut, a log is read from the manifest, the segments, the
 * frames of the primary log and the write buffer, as far as each counts.
 *
 * <p><b>Neighbours.</b> {@code log.file} below; {@code log} reads through this room to open a log, {@code log.clean} to
 * copy entries, the tools to inspect a log. Start with {@link io.teff.recovery.log.read.LogReader}.
 */
@NullMarked
package io.teff.recovery.log.read;

import org.jspecify.annotations.NullMarked;
