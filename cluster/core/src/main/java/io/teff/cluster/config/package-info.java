/**
 * The configuration of a node: options, their values from any source, and the checked result.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.config.NodeOption} lists all options, {@link
 * io.teff.cluster.config.NodeConfig#of} checks values and names every fault with its place. Files and command lines are
 * read elsewhere: this package needs no library.
 */
@NullMarked
package io.teff.cluster.config;

import org.jspecify.annotations.NullMarked;
