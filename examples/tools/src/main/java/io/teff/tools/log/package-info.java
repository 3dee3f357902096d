/**
 * The {@code log} commands: look at the folder of a log that nobody has open, check it, and cut off what a crash has
 * left unfinished.
 *
 * <p>Reading and cutting is the recovery module's, in {@code io.teff.recovery.tool}; here is what people and programs
 * see of it. Start with {@link io.teff.tools.log.LogCommand}.
 */
@NullMarked
package io.teff.tools.log;

import org.jspecify.annotations.NullMarked;
