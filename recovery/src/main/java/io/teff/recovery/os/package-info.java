/** The log's seam to clock, threads and chance. */
@NullMarked
package io.teff.recovery.os;

import org.jspecify.annotations.NullMarked;
