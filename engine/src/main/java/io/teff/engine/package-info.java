/**
 * An embeddable off-heap store for billions of small objects.
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
 * <p><b>Start here.</b> {@link io.teff.engine.Store} has the operations on single chunks, {@link io.teff.engine.Chunks}
 * forms of them with exceptions and {@code Optional}. The store returns the further groups of operations:
 * {@link io.teff.engine.Batch}, {@link io.teff.engine.Fields}, {@link io.teff.engine.Views},
 * {@link io.teff.engine.Locks}, {@link io.teff.engine.Pins}, {@link io.teff.engine.Ids} and
 * {@link io.teff.engine.Names}.
 */
@NullMarked
package io.teff.engine;

import org.jspecify.annotations.NullMarked;
