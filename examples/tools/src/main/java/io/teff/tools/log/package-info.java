/**
 * The {@code log} commands: inspect a log that is not open, verify it, and cut unfinished tails that a crash left.
 *
 * <p><b>Neighbours.</b> {@code io.teff.recovery.tool} reads and cuts; this package parses options and formats results
 * as text and JSON. Start with {@link io.teff.tools.log.LogCommand}.
 */
@NullMarked
package io.teff.tools.log;

import org.jspecify.annotations.NullMarked;
