package io.teff.recovery;

/**
 * Statistics of the log of a durable store.
 *
 * @param loggedBytes bytes of changes since the store was opened, with their heads; see health for those not on the
 *     device
 * @param bufferBytes size of the write buffer
 * @param frames synced writes to the primary log since the store was opened
 * @param frameBytes their bytes
 * @param zones ranges of 2^20 CIDs that have entries
 * @param segments files of the secondary logs
 * @param segmentBytes bytes of the segments, approximately
 * @param liveBytes live bytes of the segments, approximately; after an opening all bytes of a zone count as live until
 *     the zone is counted
 * @param cleanings cleanings since the store was opened that have freed bytes
 * @param freedBytes bytes freed by cleanings
 * @param copiedBytes bytes written by cleanings
 * @param health whether changes are accepted
 */
public record DurableStats(long loggedBytes, long bufferBytes, long frames, long frameBytes,
                           long zones, long segments, long segmentBytes, long liveBytes, long cleanings,
                           long freedBytes, long copiedBytes, DurableHealth health) {}
