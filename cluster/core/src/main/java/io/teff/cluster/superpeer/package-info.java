/**
 * Superpeers: nodes that keep the cluster's metadata, promise leases, and vote.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.superpeer.Superpeer} joins the replicated log, the promises and the
 * messages. Nodes talk to a superpeer over Teff's messages only.
 */
@NullMarked
package io.teff.cluster.superpeer;

import org.jspecify.annotations.NullMarked;
