/** The identity of a cluster: how nodes of two clusters with crossed addresses tell each other apart. */
@NullMarked
package io.teff.cluster.net.identity;

import org.jspecify.annotations.NullMarked;
