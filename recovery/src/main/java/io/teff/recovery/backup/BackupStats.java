package io.teff.recovery.backup;

/**
 * Statistics of the log of a backup.
 *
 * @param copies number of copies
 * @param loggedBytes bytes of the write buffer used since the log was opened
 * @param pendingBytes bytes of the write buffer that are not on the device yet
 * @param bufferBytes size of the write buffer
 * @param segments number of segments
 * @param segmentBytes bytes of these segments, approximately
 * @param liveBytes live bytes of these segments, approximately
 * @param cleanings cleanings that have freed bytes
 * @param freedBytes bytes freed by cleanings
 * @param copiedBytes bytes written by cleanings
 * @param refusedForRoom appends refused because the write buffer had no room, mostly because the disk is full or slow
 * @param refusedForCleaning appends refused because their copy must be cleaned first
 * @param blockBytes memory outside of the heap in which the blocks of all copies are assembled
 * @param isFull whether the disk was full at the last try
 */
public record BackupStats(int copies, long loggedBytes, long pendingBytes, long bufferBytes, long segments,
                          long segmentBytes, long liveBytes, long cleanings, long freedBytes, long copiedBytes,
                          long refusedForRoom, long refusedForCleaning, long blockBytes, boolean isFull) {}
