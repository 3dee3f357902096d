/**
 * Peers of a cluster of processes that are killed under load: {@code ./teff bench cluster-kill}.
 *
 * <p><b>Promise.</b> The cluster is what {@code ./teff cluster up} starts. Each time is that between the kill and the
 * moment at which a client, or a reader of the superpeers' tables, has seen the step. <b>Neighbours.</b> Tables are in
 * {@code report}. Read {@link io.teff.test.bench.kill.KillReport} first.
 */
package io.teff.test.bench.kill;
