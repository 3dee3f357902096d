package io.teff.engine.report;

/**
 * The result of a defragmentation.
 *
 * @param pages sparse pages that were chosen
 * @param movedChunks chunks that were moved out of them
 * @param movedBytes sum of the lengths of these chunks
 * @param leftChunks chunks that stayed, because they were locked or pinned
 * @param freedBytes bytes of pages that became free
 * @param returnedBytes bytes given back to the kernel
 * @param timeNs duration in nanoseconds, with the pauses in between
 */
public record DefragReport(long pages, long movedChunks, long movedBytes, long leftChunks, long freedBytes,
    long returnedBytes, long timeNs) {}
