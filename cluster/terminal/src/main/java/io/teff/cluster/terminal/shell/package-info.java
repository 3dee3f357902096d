/**
 * The shell of a cluster: the commands {@code ./teff shell} and {@code ./teff cluster exec}, scripts, and the line
 * editor with completion and history.
 *
 * <p><b>Promise.</b> A script ends at its first failure, with code 1 and the number of the line. Output has no colours
 * without a terminal, or with NO_COLOR. The history is in a folder that other users cannot read.
 *
 * <p><b>Neighbours.</b> {@code task} has the commands, {@code value} the texts. Start with {@code ShellCommand}.
 */
@NullMarked
package io.teff.cluster.terminal.shell;

import org.jspecify.annotations.NullMarked;
