/** How memory follows the data over a long life, and what that costs those who use the store meanwhile. */
@NullMarked
package io.teff.test.bench.turnover;

import org.jspecify.annotations.NullMarked;
