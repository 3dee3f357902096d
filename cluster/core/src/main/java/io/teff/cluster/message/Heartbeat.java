package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRef;

/**
 * A node's heartbeat to one superpeer.
 *
 * @param node life of the sender
 * @param number number of the heartbeat
 * @param superpeers version of the set of superpeers from which the sender needs a majority; 0 before the sender knows
 *     its own row, and holds no lease
 */
public record Heartbeat(NodeRef node, long number, long superpeers) {}
