/**
 * The {@code demo} command: real input, then real load, then figures of the machine it ran on.
 *
 * <p><b>Promise.</b> Every byte that the load reads back is compared with what it must be; one that differs ends the
 * demo with exit code 1. No figure is estimated: rates are counts by time, latencies are samples of a fixed share of
 * all operations, memory is what the store and the kernel say. <b>Neighbours.</b> {@code graph} reads classes into a
 * store and answers questions. Start with {@link io.teff.tools.demo.DemoCommand} (options and order of events),
 * then {@link io.teff.tools.demo.LoadWorker} (what is done to the store), then
 * {@link io.teff.tools.demo.DemoReport}.
 */
@NullMarked
package io.teff.tools.demo;

import org.jspecify.annotations.NullMarked;
