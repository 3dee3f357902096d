/**
 * The client: a store whose chunks are at the peers of a cluster.
 *
 * <p><b>Promise.</b> Each call ends within its deadline: with a result, an exception that says that nothing was
 * changed, or one that says that this is not known. No thread is made for a call.
 *
 * <p><b>Fault model.</b> Peers fail and hand zones over, connections are lost with requests on their way, tables are
 * out of date. Answers are not trusted to be well-formed.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.client.ClusterClient} sends one operation until it has an answer.
 * {@link io.teff.cluster.client.TableKeeper} knows who owns what. The bytes are in {@code io.teff.cluster.operation}.
 */
@NullMarked
package io.teff.cluster.client;

import org.jspecify.annotations.NullMarked;
