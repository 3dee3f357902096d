/** The part of the lane that stands in the ring's package, to close rings as they must not be closed. */
@NullMarked
package io.teff.cluster.net.ring;

import org.jspecify.annotations.NullMarked;
