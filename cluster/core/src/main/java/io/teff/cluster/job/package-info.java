/**
 * Jobs and compute groups at a peer, and their messages.
 *
 * <p><b>Promise.</b> A job of a zone runs while this peer serves the zone, and its answer leaves only if the peer has
 * still been the owner, and if everything that the job has read and changed is acknowledged. A worker that runs again
 * has the messages of its step once.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.work} has the pool and the inboxes; {@link io.teff.cluster.operation}
 * makes the changes. Clients send the messages of this room.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.job.JobService}, then {@link io.teff.cluster.job.GroupService}.
 */
@NullMarked
package io.teff.cluster.job;

import org.jspecify.annotations.NullMarked;
