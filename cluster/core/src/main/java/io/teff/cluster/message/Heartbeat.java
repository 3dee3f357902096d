package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRef;

/**
 * A node's heartbeat to one superpeer.
 *
 * @param node life of the sender
 * @param number number of the heartbeat
 */
public record Heartbeat(NodeRef node, long number) {}
