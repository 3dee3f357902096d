/**
 * Inspects and repairs the folder of a log that is not open: reads its contents, verifies every checksum, cuts off
 * incomplete tails left by a crash, and makes a lost manifest anew. For operators' tools; a program that uses a store
 * does not need this package.
 *
 * <p><b>Promise.</b> Reading changes no file, except for the creation of a missing lock file, and shows the entries
 * that an opening would find. Cutting removes no byte under a correct checksum, and keeps a copy.
 *
 * <p><b>Neighbours.</b> {@code io.teff.recovery.log} reads the log. Start with {@link io.teff.recovery.tool.LogTool}.
 */
@NullMarked
package io.teff.recovery.tool;

import org.jspecify.annotations.NullMarked;
