/**
 * Files of graphs as sources of edges, and writers for three formats.
 *
 * <p><b>Promise.</b> A malformed file ends in a {@link io.teff.graph.formats.GraphFileException} with the name of the
 * file, the line or offset, and the expected content. No reader allocates memory because a file claims a size.
 * <b>Neighbours.</b> Uses {@code edges} and {@code names}. Start with {@link io.teff.graph.formats.GraphFiles}, which
 * chooses the reader of a file.
 */
@NullMarked
package io.teff.graph.formats;

import org.jspecify.annotations.NullMarked;
