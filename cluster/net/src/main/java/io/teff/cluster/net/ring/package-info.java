/**
 * Send buffers: rings of frames between the threads that send and the agent, and the pool of their memory.
 *
 * <p>Nothing here does input or output. Each method states whether it is the agent's or any thread's.
 */
@NullMarked
package io.teff.cluster.net.ring;

import org.jspecify.annotations.NullMarked;
