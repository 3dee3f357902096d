package io.teff.cluster.message;

import io.teff.cluster.meta.SuperpeerSet;

/**
 * The superpeers of a cluster, as far as the answering superpeer knows.
 *
 * @param superpeers the superpeers; of version 0 if the answering superpeer knows its configuration only
 */
public record SuperpeersAnswer(SuperpeerSet superpeers) {}
