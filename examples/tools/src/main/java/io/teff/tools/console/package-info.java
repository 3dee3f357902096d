/**
 * What commands share when they talk with people and programs: sizes and figures as people write them, a progress line,
 * a JSON document.
 *
 * <p><b>Promise.</b> The same text in every locale. <b>Neighbours.</b> Knows no command; the commands in {@code demo}
 * and {@code heap} use it.
 */
@NullMarked
package io.teff.tools.console;

import org.jspecify.annotations.NullMarked;
