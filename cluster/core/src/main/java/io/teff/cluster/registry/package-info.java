/**
 * The registry of a cluster: versioned names, and ordered queues of places, both bound to sessions of clients.
 *
 * <p><b>Promise.</b> {@link io.teff.cluster.registry.Registry} is a deterministic state machine without clock and
 * chance. A step with a ticket takes effect once. Tokens of grants rise for ever. The step that ends a session frees
 * everything held by the session. Beside this step, only the session's own steps free.
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
