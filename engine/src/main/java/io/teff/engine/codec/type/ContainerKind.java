package io.teff.engine.codec.type;

import java.util.function.IntFunction;

/**
 * A declared type of collections or maps.
 *
 * @param <C> collection or map
 * @param factory makes an empty one for a capacity
 * @param refusals the elements, or keys, that it refuses
 */
public record ContainerKind<C>(IntFunction<C> factory, RefusedElements refusals) {}
