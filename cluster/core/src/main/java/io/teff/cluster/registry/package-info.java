/**
 * The registry of a cluster: versioned names, and ordered queues of places, both bound to sessions of clients.
 *
 * <p><b>Promise.</b> {@link io.teff.cluster.registry.Registry} is a deterministic state machine without clock and
 * chance. A step with a ticket takes effect once. Tokens of grants rise for ever. What a session holds is freed by the
 * step that ends the session, and by no other step than that and the session's own steps.
 *
 * <p><b>Fault model.</b> A step may arrive several times, late, or never.
 *
 * <p><b>Neighbours.</b> The metadata machine of the superpeers hosts the registry. Locks, elections, semaphores,
 * barriers and counters are thin clients of the registry.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.registry.StepCode}, then {@link io.teff.cluster.registry.Registry}.
 */
@NullMarked
package io.teff.cluster.registry;

import org.jspecify.annotations.NullMarked;
