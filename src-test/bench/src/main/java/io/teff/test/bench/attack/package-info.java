/**
 * What attackers cost: how soon a link ends whose other side breaks a rule, and how long honest nodes wait meanwhile.
 */
@NullMarked
package io.teff.test.bench.attack;

import org.jspecify.annotations.NullMarked;
