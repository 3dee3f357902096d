/**
 * One-sided reads of the chunks of a store in another process.
 *
 * <p><b>Promise.</b> {@link io.teff.rdma.reads.ChunkReader#get} returns bytes that the chunk had at one moment of the
 * call, like a get in the store's own process: never torn ones, never those of another chunk, never older ones. What it
 * cannot read that way it asks the owner for.
 *
 * <p><b>Fault model.</b> The chunk is changed, resized, moved, removed, locked; its table page is released; its zone is
 * dropped; its store is closed; the owner's process dies. The peer is trusted: it has read access to all chunks, and
 * with UCX over shared memory or TCP to more.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.offer} has the steps of a read and their proof, {@link
 * io.teff.rdma.verbs} and {@link io.teff.rdma.ucx} carry them out. How owner and reader find each other, exchange
 * tickets and ask questions is the application's: see {@link io.teff.rdma.reads.ChunkRequests}. Start with {@link
 * io.teff.rdma.reads.ChunkReader}.
 */
@NullMarked
package io.teff.rdma.reads;

import org.jspecify.annotations.NullMarked;
