/**
 * Selector providers side by side, between two ends of one machine: {@code ./teff bench nio}.
 *
 * <p><b>Promise.</b> The JDK's provider, Teff's provider and UCX without a provider move bytes of the same lengths over
 * the same number of connections, both ends in one JVM that was started for the case alone. Each counted message has
 * arrived whole. <b>Neighbours.</b> The processes are in {@code session}, rounds and tables in {@code report}. Read
 * {@link io.teff.test.bench.nio.Ends} first.
 */
package io.teff.test.bench.nio;
