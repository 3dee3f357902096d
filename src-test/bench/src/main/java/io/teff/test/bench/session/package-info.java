/**
 * The measurements in the JVM of one store.
 *
 * <p><b>Promise.</b> {@link io.teff.test.bench.session.Session} measures one store in one JVM, on the same data and by
 * the same loops as for every other store. <b>Neighbours.</b> Started by the comparison, uses the stores.
 */
package io.teff.test.bench.session;
