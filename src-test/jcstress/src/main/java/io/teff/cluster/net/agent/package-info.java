/** The part of the lane that is in the package of the tested classes, to reach their package-private parts. */
@NullMarked
package io.teff.cluster.net.agent;

import org.jspecify.annotations.NullMarked;
