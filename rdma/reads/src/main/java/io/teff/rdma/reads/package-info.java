/**
 * One-sided reads: a process reads chunks of a store in a second process.
 *
 * <p><b>Promise.</b> {@link io.teff.rdma.reads.ChunkReader#get} returns the bytes of the chunk at a moment of the call,
 * like a get in the process of the store: never torn bytes, never older bytes, never bytes of a different chunk. If the
 * reader cannot read a chunk one-sidedly, the reader asks the owner.
 *
 * <p><b>Fault model.</b> The chunk is changed, resized, moved, removed or locked. The table page is released, the zone
 * is dropped, or the store is closed. The process of the owner dies. The reader is trusted: a reader may read all
 * chunks, and may write if the memory is registered with UCX.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.offer} has the steps of a read and the proof. The bindings of verbs and
 * of UCX carry out the steps. The application connects owner and reader, exchanges tickets, and answers requests: see
 * {@link io.teff.rdma.reads.ChunkRequests}. Start with {@link io.teff.rdma.reads.ChunkReader}.
 */
@NullMarked
package io.teff.rdma.reads;

import org.jspecify.annotations.NullMarked;
