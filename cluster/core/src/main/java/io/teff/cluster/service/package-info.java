/**
 * Coordination of processes by a cluster: names, locks, elections, semaphores, barriers, counters and temporary names.
 * <pre>
 *  ClusterServices services = store.services();
 *  try (Hold hold = services.lock("nightly").acquire(10_000_000_000L).orElseThrow()) {
 *      hold.check();                                   // throws if this process was stopped for too long
 *      report.write(hold.token());                     // the report refuses a token below the highest it has seen
 *  }
 * </pre>
 *
 * <p><b>Promise.</b> All services are commands of the superpeers' replicated log. A change that has returned is kept
 * while a majority of the superpeers' disks is, takes effect once, and each later read shows it. A name that a process
 * holds is freed when the process closes its hold, or when the superpeers have not heard of the process for its lease;
 * not earlier. Tokens of a name rise with each grant.
 *
 * <p><b>Fault model.</b> Processes of clients end, stop and continue at any time. Superpeers fail and come back; while
 * no majority runs, calls wait up to their deadline.
 *
 * <p><b>Neighbours.</b> {@code io.teff.cluster.ClusterStore.services()} is the way in. Locks of chunks are in
 * {@link io.teff.engine.LockOperations}: they need no superpeer, and protect one chunk.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.service.ClusterServices}, then {@link io.teff.cluster.service.Hold}.
 */
@NullMarked
package io.teff.cluster.service;

import org.jspecify.annotations.NullMarked;
