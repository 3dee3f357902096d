/**
 * The {@code teff} command line: one root command, one class per subcommand.
 *
 * <p>A subcommand is a class with picocli's {@code @Command}; it becomes visible by its entry in {@link Teff}. Commands
 * print results to standard output and everything else to standard error, and their exit code is 0 for success, 1
 * for a failure of the work, and 2 for a wrong command line.
 */
@NullMarked
package io.teff.tools.cli;

import org.jspecify.annotations.NullMarked;
