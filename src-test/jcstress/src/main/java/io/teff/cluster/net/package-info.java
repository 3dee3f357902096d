/** The part of the lane that stands in the network's package, to reach what the agent and its senders share. */
@NullMarked
package io.teff.cluster.net;

import org.jspecify.annotations.NullMarked;
