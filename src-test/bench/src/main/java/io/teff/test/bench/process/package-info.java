/**
 * Processes that benchmarks start and look at: a cluster as {@code ./teff cluster up} starts it, and the memory and
 * processor time of any process.
 */
package io.teff.test.bench.process;
