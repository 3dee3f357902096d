/**
 * Configuration files of nodes: TOML.
 *
 * <p><b>Promise.</b> Each fault of a file is reported with line and key, and all faults are reported at once.
 */
@NullMarked
package io.teff.cluster.terminal.config;

import org.jspecify.annotations.NullMarked;
