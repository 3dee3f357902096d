package io.teff.recovery.log;

/**
 * Statistics of a log.
 *
 * @param loggedBytes bytes of the ring claimed since the log was opened
 * @param bufferBytes size of the ring
 * @param frames frames written to the primary log since then
 * @param frameBytes bytes of these frames
 * @param zones number of zones
 * @param segments number of segments
 * @param segmentBytes counted bytes of the segments that are complete, as far as zones were read or written
 * @param liveBytes live bytes of these segments, approximately; after an opening all bytes of a zone count as live
 *     until the zone is counted
 * @param cleanings cleanings that have freed bytes
 * @param freedBytes bytes freed by cleanings
 * @param copiedBytes bytes written by cleanings
 * @param blockBytes off-heap memory of zones for the assembly of blocks
 */
public record LogStats(long loggedBytes, long bufferBytes, long frames, long frameBytes, long zones,
                       long segments, long segmentBytes, long liveBytes, long cleanings, long freedBytes,
                       long copiedBytes, long blockBytes) {}
