/**
 * Benchmarks: {@code ./teff bench} compares stores, {@code ./teff bench scaling} threads, and {@code ./teff bench jmh}
 * runs the operations of one store.
 *
 * <p>Every method that the project calls hot is named here. Figures are compared within one run only.
 */
package io.teff.test.bench;
