/**
 * Generated graphs as sources of edges: Kronecker as Graph500 defines it, R-MAT, uniform, grids like road networks,
 * preferential attachment.
 *
 * <p><b>Promise.</b> The seed and the parameters alone determine the edges: each edge is computed from its own number.
 * So every part gives the same edges at each reading, in any order, and by any number of threads. No generator keeps
 * memory for its edges. <b>Neighbours.</b> Uses {@code edges}. Start with
 * {@link io.teff.graph.generate.EdgeGenerator}.
 */
@NullMarked
package io.teff.graph.generate;

import org.jspecify.annotations.NullMarked;
