/**
 * The cost of attacks: how soon the link of a peer that breaks a rule ends, and how long honest nodes wait meanwhile.
 */
@NullMarked
package io.teff.test.bench.attack;

import org.jspecify.annotations.NullMarked;
