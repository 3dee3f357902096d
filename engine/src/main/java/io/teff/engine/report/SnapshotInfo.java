package io.teff.engine.report;

/**
 * The content of a snapshot file.
 *
 * @param nid NID of the store that wrote it
 * @param chunks number of chunks
 * @param payloadBytes sum of their lengths
 * @param fileBytes size of the file
 */
public record SnapshotInfo(int nid, long chunks, long payloadBytes, long fileBytes) {}
