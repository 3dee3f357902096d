package io.teff.recovery;

/**
 * How the log of a durable store is doing.
 *
 * @param loggedBytes bytes of changes since the store was opened, with their heads; health has those not on the device
 * @param bufferBytes size of the write buffer
 * @param frames synced writes to the primary log since
 * @param frameBytes their bytes
 * @param zones ranges of 2^20 CIDs that have something
 * @param segments files of the secondary logs
 * @param segmentBytes bytes of these, about
 * @param liveBytes what of it lives, about; after an opening, of each zone all that was there, until it is counted
 * @param cleanings of zones that have freed something, since the store was opened
 * @param freedBytes what they have freed
 * @param copiedBytes what they have written for that
 * @param health whether changes are taken, and if not, why
 */
public record DurableStats(long loggedBytes, long bufferBytes, long frames, long frameBytes,
                           long zones, long segments, long segmentBytes, long liveBytes, long cleanings,
                           long freedBytes, long copiedBytes, DurableHealth health) {}
