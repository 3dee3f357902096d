/**
 * The command lines {@code ./teff node} and {@code ./teff cluster}.
 *
 * <p>Commands print results to standard output and everything else to standard error; their exit code is 0 for success,
 * 1 for a failure of the work, and 2 for a wrong command line.
 *
 * <p><b>Promise.</b> The commands hold no state of a cluster. A command may be killed at any moment; a command of the
 * metadata that was sent is done once or not at all.
 */
@NullMarked
package io.teff.cluster.terminal.cli;

import org.jspecify.annotations.NullMarked;
