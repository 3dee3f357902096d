/**
 * The configuration of a network: {@link io.teff.cluster.net.config.NetworkConfig} and its builder.
 */
@NullMarked
package io.teff.cluster.net.config;

import org.jspecify.annotations.NullMarked;
