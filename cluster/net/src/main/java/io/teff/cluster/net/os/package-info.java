/** The seam to the machine: threads, time and chance. Simulations give their own. */
@NullMarked
package io.teff.cluster.net.os;

import org.jspecify.annotations.NullMarked;
