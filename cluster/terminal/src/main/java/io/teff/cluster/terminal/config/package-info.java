/**
 * Configuration files of nodes: TOML.
 *
 * <p><b>Promise.</b> Each fault of a file is reported with its line and key, all of them at once.
 */
@NullMarked
package io.teff.cluster.terminal.config;

import org.jspecify.annotations.NullMarked;
