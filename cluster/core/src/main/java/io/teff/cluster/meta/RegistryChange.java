package io.teff.cluster.meta;

import io.teff.cluster.registry.RegistryStep;

/**
 * A step of the registry of services. A class of its own file: by its name it comes behind all earlier commands.
 *
 * @param step with its code and arguments
 */
public record RegistryChange(RegistryStep step) implements Command.OfServices {}
