package io.teff.engine.report;

/**
 * What a defragmentation did.
 *
 * @param pages sparse pages that were chosen
 * @param movedChunks chunks that were moved out of them
 * @param movedBytes their bytes
 * @param leftChunks chunks that stayed, because they were locked or pinned
 * @param freedBytes bytes of pages that became free
 * @param returnedBytes bytes given back to the kernel
 * @param timeNs how long it took, pauses for others included
 */
public record DefragReport(long pages, long movedChunks, long movedBytes, long leftChunks, long freedBytes,
    long returnedBytes, long timeNs) {}
