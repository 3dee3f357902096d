package io.teff.cluster.meta;

import io.teff.cluster.registry.RegistryResult;

/**
 * The reply to a step of the registry of services.
 *
 * @param result of the step
 */
public record RegistryReply(RegistryResult result) implements CommandReply.OfServices {}
