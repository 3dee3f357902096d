/** Objects as bytes; see {@code docs/OBJECTS.md}. */
@NullMarked
package io.teff.engine.codec;

import org.jspecify.annotations.NullMarked;
