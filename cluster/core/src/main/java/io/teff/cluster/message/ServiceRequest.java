package io.teff.cluster.message;

import io.teff.cluster.registry.RegistryStep;

/**
 * A client's request for the registry of services.
 *
 * @param key random number by which the client has opened its session: the proof that the session is the client's own
 * @param waitMs longest wait of the superpeer for a change, in milliseconds
 * @param step code and arguments, as {@link io.teff.cluster.registry.StepCode} says
 */
public record ServiceRequest(long key, int waitMs, RegistryStep step) {}
