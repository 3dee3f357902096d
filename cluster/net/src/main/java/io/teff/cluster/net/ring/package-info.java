/**
 * Send buffers: rings of frames between sending threads and the agent, and the pool of ring memory.
 *
 * <p>Nothing here does input or output. Each method states whether its caller is the agent or any thread.
 */
@NullMarked
package io.teff.cluster.net.ring;

import org.jspecify.annotations.NullMarked;
