/**
 * Benchmarks, run by {@code ./teff bench -- <arguments of JMH>}.
 *
 * <p>Every method that the project calls hot is named here. Figures are compared within one run only.
 */
package io.teff.test.bench;
