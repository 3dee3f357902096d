/** Files with graphs. */
@NullMarked
package io.teff.graph.formats;

import org.jspecify.annotations.NullMarked;
