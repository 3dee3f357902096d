/**
 * The seam between the store and the collections that lie in it: chunks as the nodes of a data structure.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.storage.CollectionChunks} is all that a collection knows of the engine, besides the words
 * that a reader of few instructions loads itself. Its methods throw where the store's return a status, because to a
 * collection a missing node is damage. <b>Neighbours.</b> The store implements it; the collections use it.
 */
@NullMarked
package io.teff.engine.storage;

import org.jspecify.annotations.NullMarked;
