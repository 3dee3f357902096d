package io.teff.engine.report;

/**
 * The contents of a snapshot file in numbers.
 *
 * @param nid NID of the store that wrote the file
 * @param chunks number of chunks
 * @param payloadBytes sum of the chunks' lengths in bytes
 * @param fileBytes size of the file in bytes
 */
public record SnapshotInfo(int nid, long chunks, long payloadBytes, long fileBytes) {}
