/**
 * An embeddable store for very many small objects, off the Java heap.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.Store} keeps <em>chunks</em> (byte strings of 0 B to terabytes, meant for 16
 * to 128 B) and names each by a <em>CID</em>, a {@code long} that is never issued twice. Every operation on a chunk is
 * atomic; any number of threads may call anything; shortage is a return value ({@link io.teff.engine.error.Status});
 * use after close throws. The full list, with the tests that hold it, is in {@code docs/GUARANTEES.md}.
 *
 * <p><b>Fault model.</b> A store lives in memory: what is not in a snapshot is gone with the process. The snapshot file
 * is checksummed; damage is refused with its place.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.Store} has the single operations; {@link io.teff.engine.Chunks} is the
 * comfortable form with exceptions and {@code Optional}; {@link io.teff.engine.Batch}, {@link io.teff.engine.Fields},
 * {@link io.teff.engine.Views}, {@link io.teff.engine.Locks}, {@link io.teff.engine.Pins} and {@link
 * io.teff.engine.Ids} are reached through the store.
 */
@NullMarked
package io.teff.engine;

import org.jspecify.annotations.NullMarked;
