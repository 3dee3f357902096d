/** Links of networks without threads in virtual time, for simulations. */
@NullMarked
package io.teff.test.links;

import org.jspecify.annotations.NullMarked;
