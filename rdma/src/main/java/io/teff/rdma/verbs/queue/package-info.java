/**
 * Queues of libibverbs: queue pairs, shared receive queues, completion queues, and the batches of requests that
 * programs post.
 *
 * <p><b>Contents.</b> A {@link io.teff.rdma.verbs.queue.QueuePair} has a queue of sends and a queue of receives.
 * Programs build requests in a {@link io.teff.rdma.verbs.queue.SendBatch} or a {@link
 * io.teff.rdma.verbs.queue.ReceiveBatch}. Results arrive in a {@link io.teff.rdma.verbs.queue.CompletionQueue} and are
 * read from {@link io.teff.rdma.verbs.queue.Completions}. A {@link io.teff.rdma.verbs.queue.CompletionChannel} lets a
 * thread sleep until a result arrives. A {@link io.teff.rdma.verbs.queue.SharedReceiveQueue} serves several queue
 * pairs.
 *
 * <p><b>Promise.</b> Posting and polling allocate nothing. Any thread may use any object: calls of one object exclude
 * each other. Batches and completions belong to one thread at a time. A request that a queue pair cannot have is
 * refused before the library sees the request. A failed request ends with a {@link
 * io.teff.rdma.verbs.queue.CompletionStatus}; a failed call throws an {@link io.teff.rdma.RdmaException} with its
 * errno.
 *
 * <p><b>Fault model.</b> Refused keys, regions that are too small, peers that die, receivers without a receive, full
 * queues.
 *
 * <p><b>Neighbours.</b> Stands on {@code io.teff.rdma.verbs.device}. Used by {@code io.teff.rdma.verbs.connect}. Start
 * with {@link io.teff.rdma.verbs.queue.QueuePair}.
 */
@NullMarked
package io.teff.rdma.verbs.queue;

import org.jspecify.annotations.NullMarked;
