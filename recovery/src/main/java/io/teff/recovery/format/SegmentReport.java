package io.teff.recovery.format;

import java.util.List;

/**
 * What a reader has found in a segment.
 *
 * @param sealed whether its end was found
 * @param entryCount entries that were shown
 * @param entryBytes bytes of these entries in the segment
 * @param end where the last block ends that was whole
 * @param provenEnd where the last thing ends whose checksum is right: a block, the head of one, or an entry
 * @param damage what could not be read though it was synced; the segment's head is damage too
 * @param torn what could not be read and was never synced: a crash has left it, and nothing is missing
 */
public record SegmentReport(boolean sealed, long entryCount, long entryBytes, long end, long provenEnd,
                            List<Damage> damage, List<Damage> torn) {}
