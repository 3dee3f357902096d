/**
 * Leases by a majority of superpeers, without the replicated log.
 *
 * <p><b>Promise.</b> A node whose life has expired holds no lease: {@link io.teff.cluster.lease.LeaseClock} on the node
 * has ended the lease before a majority of {@link io.teff.cluster.lease.Promises} on the superpeers could have voted
 * against the node.
 *
 * <p><b>Fault model.</b> Heartbeats and answers are lost, late, doubled and reordered; nodes and superpeers pause, stop
 * and restart; clocks show any time, but run at the same speed within
 * {@link io.teff.cluster.lease.LeaseTerms#driftPerMille}.
 *
 * <p><b>Proof.</b> A superpeer answers the heartbeat sent at time t, and promises not to vote until the superpeer has
 * measured the term, lengthened by the drift, after the answer. So the superpeer votes at the earliest at t + term. The
 * node counts this answer until the node has measured the term, shortened by the drift, after t. So the answer counts
 * at the latest until t + term. A node expires when a majority has voted; the node holds a lease while a majority's
 * answers count. Two majorities share a superpeer, and a superpeer never answers a node again after deciding to vote.
 * So at the time of the last vote at least one answer needed for the lease is over.
 *
 * <p><b>Neighbours.</b> Both classes are pure: the caller passes the time of the caller's own monotonic clock.
 *
 * <p>Leases: C. Gray, D. Cheriton, "Leases: an efficient fault-tolerant mechanism for distributed file cache
 * consistency", SOSP 1989.
 */
@NullMarked
package io.teff.cluster.lease;

import org.jspecify.annotations.NullMarked;
