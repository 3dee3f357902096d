/** Loads of a fixed rate, whose latencies count from when an operation was due. */
@NullMarked
package io.teff.test.bench.load;

import org.jspecify.annotations.NullMarked;
