/**
 * Who may do what in a cluster: roles, principals and their limits.
 *
 * <p><b>Promise.</b> With a file of roles, a node does nothing for a principal without the right. The node that does
 * the work checks, by the proof in the greeting of the session.
 *
 * <p><b>Fault model.</b> A client may send any bytes and any NID. A process with the secret of the cluster is trusted.
 *
 * <p><b>Neighbours.</b> The network asks {@link io.teff.cluster.access.AccessControl} for the accepted secrets, and the
 * caller of a session for each message. Handlers ask {@link io.teff.cluster.access.SessionCaller} where the right
 * depends on the content of a message.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.access.Right}, then {@link io.teff.cluster.access.AccessControl}.
 */
@NullMarked
package io.teff.cluster.access;

import org.jspecify.annotations.NullMarked;
