/**
 * The {@code soak} command: the same life of a store over and over, for minutes or days, until something is wrong or
 * grows that must not grow.
 *
 * <p><b>Promise.</b> Every byte that is read is compared with what it must be, every chunk is read at least once in
 * each cycle, and the store's own account is compared with the workers' to the byte. What remains is judged by
 * {@link io.teff.tools.soak.Drift}: memory, threads, descriptors and latency must not grow from cycle to cycle.
 * <b>Fault model.</b> Lost, torn and foreign bytes, lost and left-over chunks, lost updates, locks that do not lock,
 * pins that do not hold, snapshots that do not restore, leaks, a store that becomes slower, a store that hangs.
 * <b>Neighbours.</b> {@code common} knows what a chunk must contain.
 *
 * <p>Start with {@link io.teff.tools.soak.SoakRun} (a cycle), then {@link io.teff.tools.soak.SoakWorker} (what is
 * done to the store), then {@link io.teff.tools.soak.Criterion} (what is judged, and how strictly).
 */
@NullMarked
package io.teff.tools.soak;

import org.jspecify.annotations.NullMarked;
