/**
 * The stores measured by the comparison, behind one interface.
 *
 * <p><b>Promise.</b> Every store does the same work on the same data: a value is copied in from an array and out into
 * an array of the caller, and begins with its key, so that every read is checked. <b>Neighbours.</b> Used by the
 * sessions. Read {@link io.teff.test.bench.store.StoreKind} first; {@link io.teff.test.bench.store.KeyedMaps} has the
 * maps for the comparison of collections.
 */
package io.teff.test.bench.store;
