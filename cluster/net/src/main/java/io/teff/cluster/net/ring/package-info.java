/**
 * Memory between threads and links: frames on their way out, and buffers for what comes in.
 *
 * <p>Nothing here does input or output. What the agent does and what others may do is said of each method.
 */
@NullMarked
package io.teff.cluster.net.ring;

import org.jspecify.annotations.NullMarked;
