package io.teff.engine.report;

/**
 * The result of a defragmentation.
 *
 * @param pages number of sparse pages that were selected
 * @param movedChunks number of chunks that were moved out of these pages
 * @param movedBytes sum of the lengths of the moved chunks in bytes
 * @param leftChunks number of chunks that were not moved, because they were locked or pinned
 * @param freedBytes bytes of the pages that became free
 * @param returnedBytes bytes given back to the kernel
 * @param timeNs duration in nanoseconds, pauses included
 */
public record DefragReport(long pages, long movedChunks, long movedBytes, long leftChunks, long freedBytes,
    long returnedBytes, long timeNs) {}
