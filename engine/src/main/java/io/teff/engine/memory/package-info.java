/**
 * Off-heap memory: the address space of a store, and the only class with reads and writes of this space.
 *
 * <p><b>Promise.</b> The JDK checks every access against the region's bounds and lifetime. The name of each method
 * states its memory order. <b>Neighbours.</b> {@code alloc} divides the region; this package does not interpret the
 * bytes. <b>Start</b> with {@link io.teff.engine.memory.Memory}, then read {@link io.teff.engine.memory.Region}.
 */
@NullMarked
package io.teff.engine.memory;

import org.jspecify.annotations.NullMarked;
