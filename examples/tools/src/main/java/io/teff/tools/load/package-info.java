/**
 * Common parts of the commands that load a store: verifiable contents, failures, resources of the process.
 *
 * <p><b>Neighbours.</b> Depends on no command. Start with {@link io.teff.tools.load.ChunkContent}: the bytes of a chunk
 * as a function of its number, its version and a seed, which every check of a load uses.
 */
@NullMarked
package io.teff.tools.load;

import org.jspecify.annotations.NullMarked;
