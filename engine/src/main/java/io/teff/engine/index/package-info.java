/**
 * The catalogue of the indexes of a map: which indexes there are, and where their trees are.
 *
 * <p><b>Promise.</b> The catalogue is one chunk, so each change of the catalogue is atomic. An index that is not ready
 * after a crash is removed. <b>Neighbours.</b> {@link io.teff.engine.tree} has the trees, {@link io.teff.engine.query}
 * fills the trees and reads them. <b>Start</b> with {@link io.teff.engine.index.IndexCatalogue}.
 */
@NullMarked
package io.teff.engine.index;

import org.jspecify.annotations.NullMarked;
