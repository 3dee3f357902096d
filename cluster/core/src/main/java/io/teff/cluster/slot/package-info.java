/**
 * The results of changes, and the locks of clients, beside the chunks of a zone. A change takes effect once, however
 * often a client sends the change.
 *
 * <p><b>Promise.</b> A change with a session and a ticket is executed at most once. A repetition gets the result
 * of the first execution, also from another owner after a failure, until the session sends a later ticket in the same
 * slot, or ends.
 *
 * <p>Locks of chunks exclude each other across clients and owners, and an operation under a lost lock is never
 * executed: {@link io.teff.cluster.slot.LockTable}.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.slot.SlotTable} is what an owner knows of a zone's sessions. {@link
 * io.teff.cluster.slot.SlotWriter} puts the result of a change into the record of that change, in the form of {@link
 * io.teff.cluster.slot.SlotLayout}, so that log, cleaning, recovery and refill carry it like a chunk.
 */
@NullMarked
package io.teff.cluster.slot;

import org.jspecify.annotations.NullMarked;
