/**
 * Texts of the shell: words of a line, CIDs, the contents of chunks, and the values of collections. Pure functions.
 *
 * <p><b>Promise.</b> No class of an application is loaded. Bytes and descriptions may come from anybody: a value that
 * cannot be read is shown as bytes.
 */
@NullMarked
package io.teff.cluster.terminal.shell.value;

import org.jspecify.annotations.NullMarked;
