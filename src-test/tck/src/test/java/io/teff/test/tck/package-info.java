/** Runs the official tests of JCache on a cluster, too, and has a short test of this kind for the gate. */
package io.teff.test.tck;
