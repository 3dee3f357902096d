/**
 * Teff's collections compared with others: {@code ./teff bench collections}.
 *
 * <p><b>Promise.</b> Every structure of a family does the same operations on the same data by the same loops, in a JVM
 * of its own with the same total memory, and every result is checked. <b>Neighbours.</b> The maps are in {@code store},
 * the processes in {@code session}. Read {@link io.teff.test.bench.collect.CollectionKind} first.
 */
package io.teff.test.bench.collect;
