/** Runs test classes without Maven, for {@code ./teff test --fast}. */
package io.teff.test.kit.run;
