/**
 * Concurrency on chunks: stripe words (seqlocks) for every access, lock records for explicit locks and pins.
 *
 * <p><b>Promise.</b> A reader that validates saw one state; a writer is alone in its stripe; an exclusive lock keeps
 * every other thread's operations out; timeouts are honoured. <b>Neighbours.</b> Knows {@code table}'s entry words
 * through
 * {@link io.teff.engine.lock.EntryWords} only, so the same classes run on {@code long[]} under a model checker. Read
 * {@link io.teff.engine.lock.StripeWord}, {@link io.teff.engine.lock.Stripes}, {@link io.teff.engine.lock.LockRecord},
 * {@link io.teff.engine.lock.ChunkLocks}.
 */
@NullMarked
package io.teff.engine.lock;

import org.jspecify.annotations.NullMarked;
