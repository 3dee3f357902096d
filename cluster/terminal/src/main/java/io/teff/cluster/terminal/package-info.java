/**
 * The terminal of a cluster.
 *
 * <p><b>State.</b> Not begun; this page is the room's contract.
 *
 * <p><b>What will live here.</b> A command line and a full-screen view that connect to a running cluster as a client:
 * nodes and their roles, zones with their owners and backups, recoveries and migrations in progress, traffic and
 * memory; and the commands of an administrator, such as adding, draining and removing a node.
 *
 * <p><b>Promise.</b> The terminal holds no state of the cluster. It may be killed at any moment; a command that it has
 * sent is done once or not at all.
 *
 * <p><b>Fault model.</b> That of a client: links break, and nodes answer late or never. Each command has a deadline.
 *
 * <p><b>Neighbours.</b> Uses the exported packages of the cluster module. Nothing depends on the terminal.
 */
@NullMarked
package io.teff.cluster.terminal;

import org.jspecify.annotations.NullMarked;
