/** How memory follows the data over a long life, and the cost of that for concurrent users of the store. */
@NullMarked
package io.teff.test.bench.turnover;

import org.jspecify.annotations.NullMarked;
