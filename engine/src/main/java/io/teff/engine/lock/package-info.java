/**
 * Concurrency on chunks: stripe words (seqlocks) for every access, lock records for explicit locks and pins.
 *
 * <p><b>Promise.</b> A reader whose validation succeeds has seen one state. A writer is alone in its stripe. An
 * exclusive lock excludes the operations of all other threads. Timeouts are observed. <b>Neighbours.</b> This package
 * sees the entry words of {@code table} only through {@link io.teff.engine.lock.EntryWords}, so the same classes run
 * on a {@code long[]} under a model checker. <b>Start</b> with {@link io.teff.engine.lock.StripeWord}, then read
 * {@link io.teff.engine.lock.Stripes}, {@link io.teff.engine.lock.LockRecord} and {@link
 * io.teff.engine.lock.ChunkLocks}.
 */
@NullMarked
package io.teff.engine.lock;

import org.jspecify.annotations.NullMarked;
