/**
 * The commands of the shell, and the session that the commands of a shell have in common.
 *
 * <p><b>Promise.</b> Each command prints its result in lines, or as a JSON document in one line, and has an exit code:
 * 0 for success, 1 for a failure, 2 for a wrong command line. A failure is one line of standard error. A command that
 * destroys something asks first, or needs {@code --yes} where there is no person to be asked.
 *
 * <p><b>Neighbours.</b> {@code local} and {@code status} have commands that are commands of the shell, too: the session
 * gives their options for the folder and the addresses of the cluster.
 */
@NullMarked
package io.teff.cluster.terminal.shell.task;

import org.jspecify.annotations.NullMarked;
