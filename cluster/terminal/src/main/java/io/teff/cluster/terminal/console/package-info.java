/**
 * The console of a node: starts the server, and reads collections and chunks for it by the commands of the shell.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.terminal.console.NodeConsole}.
 */
@NullMarked
package io.teff.cluster.terminal.console;

import org.jspecify.annotations.NullMarked;
