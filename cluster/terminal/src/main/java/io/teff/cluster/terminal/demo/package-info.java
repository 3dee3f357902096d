/**
 * The command {@code cluster demo}: kills a peer in the middle of updates, and verifies every byte afterwards.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.terminal.demo.DemoRun} has the course of events.
 */
@NullMarked
package io.teff.cluster.terminal.demo;

import org.jspecify.annotations.NullMarked;
