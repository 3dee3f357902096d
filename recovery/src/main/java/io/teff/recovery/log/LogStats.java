package io.teff.recovery.log;

/**
 * How a log is doing.
 *
 * @param loggedBytes bytes of the ring that were claimed since it was opened
 * @param bufferBytes of the ring
 * @param frames of the primary log that were written since
 * @param frameBytes of these frames
 * @param zones there are
 * @param segments there are
 * @param segmentBytes what those count that are not being written, as far as zones were read or written
 * @param liveBytes what of it lives, about; after an opening, of each zone all that was there, until it is counted
 * @param cleanings of zones that have freed something
 * @param freedBytes what they have freed
 * @param copiedBytes what they have written
 */
public record LogStats(long loggedBytes, long bufferBytes, long frames, long frameBytes, long zones,
                       long segments, long segmentBytes, long liveBytes, long cleanings, long freedBytes,
                       long copiedBytes) {}
