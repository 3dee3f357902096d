/**
 * The client of a cluster beside messages of the same transport: {@code ./teff bench cluster}.
 *
 * <p><b>Promise.</b> Operations and round trips of plain messages are measured in the same process, against the same
 * peers, by the same number of threads, in turns. <b>Neighbours.</b> The processes are in {@code session}, rounds and
 * tables in {@code report}. Read {@link io.teff.test.bench.cluster.ClusterTrial} first.
 */
package io.teff.test.bench.cluster;
