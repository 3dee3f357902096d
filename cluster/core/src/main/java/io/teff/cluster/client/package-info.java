/**
 * The client: a store whose chunks are at the peers of a cluster.
 *
 * <p><b>Promise.</b> Each call ends within its deadline: with a result, with an exception that rules out a change, or
 * with an exception that reports an unknown outcome. No thread is made for a call.
 *
 * <p><b>Fault model.</b> Peers fail and hand zones over, connections are lost with requests on their way, tables are
 * out of date. Answers are not trusted to be well-formed.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.client.ClusterClient} sends one operation until the answer arrives.
 * {@link io.teff.cluster.client.TableKeeper} knows the owner of each zone. The layouts of the bytes
 * are in {@code io.teff.cluster.operation}.
 */
@NullMarked
package io.teff.cluster.client;

import org.jspecify.annotations.NullMarked;
