/**
 * What the command line does with the folder of a log: looks at it, checks it, cuts off what a crash has left
 * unfinished. Not for programs that use a log.
 *
 * <p><b>Promise.</b> Looking changes nothing but the lock's line, and shows what would be there if the log was opened.
 * Cutting takes away nothing that has a right checksum, and keeps a copy.
 *
 * <p><b>Neighbours.</b> {@code io.teff.recovery.log} reads the log. Start with {@link io.teff.recovery.tool.LogTool}.
 */
@NullMarked
package io.teff.recovery.tool;

import org.jspecify.annotations.NullMarked;
