/**
 * Input and output of all commands: sizes, formatted figures, a progress line, JSON documents.
 *
 * <p><b>Promise.</b> Output does not depend on the locale. <b>Neighbours.</b> The packages {@code demo}, {@code graph},
 * {@code heap}, {@code log} and {@code soak} use this one; it depends on none of them.
 */
@NullMarked
package io.teff.tools.console;

import org.jspecify.annotations.NullMarked;
