/**
 * What the loads of several commands share: contents that can be checked, a check that failed, looks at the process.
 *
 * <p>Nothing here knows a command. Start with {@link io.teff.tools.load.ChunkContent}: a chunk's bytes as a function
 * of its number, its version and a seed, on which every check of every load rests.
 */
@NullMarked
package io.teff.tools.load;

import org.jspecify.annotations.NullMarked;
