/**
 * The part of the crash lane that must be in the package of the durable store, as it takes the steps of the engine at
 * the store's journal itself.
 */
package io.teff.recovery;
