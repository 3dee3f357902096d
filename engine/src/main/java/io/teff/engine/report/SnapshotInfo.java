package io.teff.engine.report;

/**
 * What a snapshot file holds.
 *
 * @param nid NID of the store it came from
 * @param chunks number of chunks
 * @param payloadBytes sum of their lengths
 * @param fileBytes size of the file
 */
public record SnapshotInfo(int nid, long chunks, long payloadBytes, long fileBytes) {}
