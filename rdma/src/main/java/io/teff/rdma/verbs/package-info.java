/**
 * The verbs of libibverbs and the connection manager of librdmacm, complete from the list of devices to completions.
 *
 * <p><b>Contents.</b> {@link io.teff.rdma.verbs.Verbs} lists devices; an {@link io.teff.rdma.verbs.RdmaContext} is an
 * open one. It makes {@link io.teff.rdma.verbs.ProtectionDomain}s, and these make {@link
 * io.teff.rdma.verbs.MemoryRegion}s, {@link io.teff.rdma.verbs.QueuePair}s, {@link
 * io.teff.rdma.verbs.SharedReceiveQueue}s and {@link io.teff.rdma.verbs.AddressHandle}s. Work goes through {@link
 * io.teff.rdma.verbs.SendBatch} and {@link io.teff.rdma.verbs.ReceiveBatch}, its results come by a {@link
 * io.teff.rdma.verbs.CompletionQueue} into {@link io.teff.rdma.verbs.Completions}. Queue pairs are connected by a
 * {@link io.teff.rdma.verbs.ConnectionManager}, or by an {@link io.teff.rdma.verbs.AddressExchange} over TCP.
 *
 * <p><b>Promise.</b> Posting and polling allocate nothing. All objects may be used by any thread: calls of one object
 * exclude each other. Batches and completions belong to one thread at a time. Objects close their dependents first; a
 * call of a closed object throws {@link java.lang.IllegalStateException}. A request that a queue pair cannot have is
 * refused before it reaches the library. A failed request ends with a {@link io.teff.rdma.verbs.CompletionStatus}; a
 * failed call throws an {@link io.teff.rdma.RdmaException} with its errno.
 *
 * <p><b>The caller's part.</b> Memory that was registered must not be unmapped before its region is closed: the arena
 * of a registered segment closes after the region. Memory of {@link
 * io.teff.rdma.verbs.ProtectionDomain#allocate} has no such rule.
 *
 * <p><b>Fault model.</b> Missing libraries and devices, refused keys, regions that are too small, peers that die,
 * receivers without a receive, full queues, links that break.
 *
 * <p><b>Neighbours.</b> Uses {@code io.teff.rdma.ffi}. {@code VerbsLayout} has the layout of the structs; start with
 * {@link io.teff.rdma.verbs.Verbs}.
 */
@NullMarked
package io.teff.rdma.verbs;

import org.jspecify.annotations.NullMarked;
