package io.teff.recovery.format;

import java.util.List;

/**
 * Result of reading a segment.
 *
 * @param sealed whether its end was found
 * @param entryCount number of entries shown
 * @param entryBytes bytes of these entries in the segment
 * @param end end of the last complete block
 * @param provenEnd end of the last block, block head or entry with a correct checksum
 * @param damage unreadable parts that were synced, including the segment's head
 * @param torn parts that could not be read and were never synced: a crash has left them, and nothing is missing
 */
public record SegmentReport(boolean sealed, long entryCount, long entryBytes, long end, long provenEnd,
                            List<Damage> damage, List<Damage> torn) {}
