/**
 * The commands {@code deploy}: clusters on several machines by ssh, and files for systemd, containers and Kubernetes.
 *
 * <p><b>Promise.</b> A node is ended only while the cluster is whole, and a node that does not come up with a new
 * version comes up with the old version. A folder of a version is whole or not there. No command deletes data unless
 * asked by name.
 *
 * <p><b>Neighbours.</b> {@link io.teff.cluster.terminal.deploy.HostsFile} reads the description of the hosts.
 * {@link io.teff.cluster.terminal.deploy.Host} does one task at one host, by the script {@code host.sh}. Start reading
 * at {@link io.teff.cluster.terminal.deploy.DeployCommand}.
 */
@NullMarked
package io.teff.cluster.terminal.deploy;

import org.jspecify.annotations.NullMarked;
