/**
 * Off-heap memory: the address space of one store and the only class that reads and writes it.
 *
 * <p><b>Promise.</b> Every access is checked against the region's bounds and lifetime by the JDK; the name of each
 * method says its memory order. <b>Neighbours.</b> {@code alloc} divides the region; nothing here knows what the bytes
 * mean. Start with {@link io.teff.engine.memory.Memory}, then {@link io.teff.engine.memory.Region}.
 */
@NullMarked
package io.teff.engine.memory;

import org.jspecify.annotations.NullMarked;
