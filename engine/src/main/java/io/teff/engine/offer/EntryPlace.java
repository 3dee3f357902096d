package io.teff.engine.offer;

/**
 * The place of a chunk's entry in a page of the chunk table. Immutable.
 *
 * @param epoch the epoch of the table pages before the look-up of the entry. The epoch of the store advances when a
 *     page leaves its place, and the address is valid until then
 * @param address the address of the entry, a multiple of 8 bytes; 0 if the chunk table has no page for the chunk
 */
public record EntryPlace(long epoch, long address) {}
