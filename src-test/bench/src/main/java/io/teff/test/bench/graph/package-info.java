/** Benchmarks of graphs: Teff beside GAP, JGraphT and WebGraph on one file. */
package io.teff.test.bench.graph;
