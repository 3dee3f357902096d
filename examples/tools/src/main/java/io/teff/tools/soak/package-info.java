/**
 * The {@code soak} command: repeats a cycle of fill, load and shrink for minutes or days, and fails at the first wrong
 * result, or if resources or latency grow from cycle to cycle.
 *
 * <p><b>Promise.</b> Every byte read is compared with the expected one, every chunk is read at least once per cycle,
 * and the chunks and bytes that the store counts must equal those of the workers. {@link io.teff.tools.soak.Drift}
 * judges the growth of memory, threads, descriptors and latency. <b>Fault model.</b> Lost, torn and foreign bytes, lost
 * and left-over chunks, lost updates, locks that do not exclude, pins that do not hold, snapshots that do not restore,
 * leaks, a store that becomes slower, a store that hangs. <b>Neighbours.</b> {@code load} defines the content of
 * chunks.
 *
 * <p>Start with {@link io.teff.tools.soak.SoakRun} (a cycle), then {@link io.teff.tools.soak.SoakWorker} (operations on
 * the store), then {@link io.teff.tools.soak.Criterion} (judged figures and their tolerances).
 */
@NullMarked
package io.teff.tools.soak;

import org.jspecify.annotations.NullMarked;
