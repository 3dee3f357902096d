package io.teff.engine.offer;

/**
 * Where the entry of a chunk is.
 *
 * @param epoch loaded before the entry was looked up: a page that has ceased to be there since then has ended it
 * @param address of the entry, a multiple of 8; 0 if there is none
 */
public record EntryPlace(long epoch, long address) {}
