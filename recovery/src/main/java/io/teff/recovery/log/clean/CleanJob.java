package io.teff.recovery.log.clean;

import io.teff.recovery.format.ZoneId;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;

/**
 * A zone to be cleaned.
 *
 * @param zone name of the zone
 * @param segments numbers of the zone's segments that are not being written, and whether each segment is sealed
 * @param givenUp segments with an unreadable part, and with an accepted loss
 * @param sealedBytes value of {@link io.teff.recovery.log.clean.LiveEstimate#sealedBytes} including these segments
 * @param isWhileFull whether the disk is full: all outdated bytes are to be freed, and the reserve may be used
 */
public record CleanJob(ZoneId zone, NavigableMap<Long, Boolean> segments, Set<Long> givenUp, long sealedBytes,
                       boolean isWhileFull) {
    /** {@return this job, to be done while the disk is full} */
    public CleanJob whileFull() {
        return new CleanJob(zone, segments, givenUp, sealedBytes, true);
    }

    /**
     * Result of a cleaning.
     *
     * @param job the zone and the segments of the cleaning
     * @param made numbers of new segments, sealed and synced; they do not count yet
     * @param gone numbers of the replaced segments; these segments still count
     * @param liveBytes bytes of live entries in all segments of the zone
     * @param totalBytes counted bytes of the segments read
     * @param freedBytes counted bytes of the replaced segments, less the bytes of the new segments
     * @param copiedBytes counted bytes of the new segments
     * @param isCut whether the job was larger than one cleaning, so that there may be more to do
     */
    public record Result(CleanJob job, List<Long> made, List<Long> gone, long liveBytes, long totalBytes,
                         long freedBytes, long copiedBytes, boolean isCut) {
        /** The result of a cleaning that was given up. */
        static Result nothing(CleanJob job) {
            return new Result(job, List.of(), List.of(), 0, 0, 0, 0, false);
        }

        /** Returns whether the live bytes were counted. */
        public boolean isKnown() {
            return totalBytes > 0;
        }

        /** Returns whether segments are to be replaced. */
        public boolean hasChanged() {
            return !gone.isEmpty();
        }
    }
}
