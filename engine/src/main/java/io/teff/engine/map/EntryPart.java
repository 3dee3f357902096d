package io.teff.engine.map;

/**
 * The key or the value of an entry as bytes, a part of an array. The array is valid during one call only.
 *
 * @param array contains the bytes
 * @param from index of the first byte
 * @param length number of bytes
 */
public record EntryPart(byte[] array, int from, int length) {}
