/** Benchmarks of indexes: the cost of a put with indexes, queries, projections, and building. */
package io.teff.test.bench.index;
