/**
 * An embeddable store for very many small objects, off the Java heap.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.Store} keeps <em>chunks</em> (byte strings of 0 B to terabytes, meant for 16
 * to 128 B) and names each by a <em>CID</em>, a {@code long} that is never issued twice. Every operation on a chunk is
 * atomic; any number of threads may call any method; lack of memory is a return value
 * ({@link io.teff.engine.error.Status}); use after close throws. The full list, with the tests of each promise, is in
 * {@code docs/GUARANTEES.md}.
 *
 * <p><b>Fault model.</b> A store is in memory: chunks that are not in a snapshot are lost when the process ends.
 * Snapshot files have checksums; a restore rejects a damaged file, and names the offset of the damage.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.Store} has the single operations; {@link io.teff.engine.Chunks} has the
 * same with exceptions and {@code Optional}; {@link io.teff.engine.Batch}, {@link io.teff.engine.Fields},
 * {@link io.teff.engine.Views}, {@link io.teff.engine.Locks}, {@link io.teff.engine.Pins} and
 * {@link io.teff.engine.Ids} are reached through the store.
 */
@NullMarked
package io.teff.engine;

import org.jspecify.annotations.NullMarked;
