/**
 * The {@code demo} command: the class graph, then a load of small chunks, then figures of this machine.
 *
 * <p><b>Promise.</b> Every byte that the load reads is compared with the expected one; a difference ends the demo with
 * exit code 1. No figure is estimated: rates are counts divided by time, latencies are samples of a fixed share of all
 * operations, memory is reported by the store and the kernel. <b>Neighbours.</b> {@code io.teff.examples.graph} reads
 * classes into a store and answers queries. Start with {@link io.teff.tools.demo.DemoCommand} (options and order of the
 * parts), then {@link io.teff.tools.demo.LoadWorker} (operations on the store), then {@link
 * io.teff.tools.demo.DemoReport}.
 */
@NullMarked
package io.teff.tools.demo;

import org.jspecify.annotations.NullMarked;
