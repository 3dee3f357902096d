/** The first tier of a test, for tests that the gate does not run; tests without a mark run in every tier. */
package io.teff.test.kit.tier;
