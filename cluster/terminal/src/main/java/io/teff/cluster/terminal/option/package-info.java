/**
 * Options of several commands, to be mixed into the commands.
 *
 * <p><b>Promise.</b> An option with one meaning has one name and one description in all commands.
 */
@NullMarked
package io.teff.cluster.terminal.option;

import org.jspecify.annotations.NullMarked;
