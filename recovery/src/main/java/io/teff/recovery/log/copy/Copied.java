package io.teff.recovery.log.copy;

/**
 * Result of a copy.
 *
 * @param segments number of segments
 * @param bytes of all files except the manifest
 * @param linkedBytes of the files that are shared with the source by hard links
 */
public record Copied(long segments, long bytes, long linkedBytes) {}
