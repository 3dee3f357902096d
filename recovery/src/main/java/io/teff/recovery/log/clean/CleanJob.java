package io.teff.recovery.log.clean;

import io.teff.recovery.format.ZoneId;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;

/**
 * A zone that is to be cleaned.
 *
 * @param zone its name
 * @param segments numbers of its segments to which nobody writes, and whether they are sealed
 * @param givenUp those of which something cannot be read, and somebody has agreed to lose it
 * @param sealedBytes what {@link io.teff.recovery.log.clean.ZoneFill#sealedBytes} is with them
 */
public record CleanJob(ZoneId zone, NavigableMap<Long, Boolean> segments, Set<Long> givenUp, long sealedBytes) {
    /**
     * What has become of it.
     *
     * @param job what was to be done
     * @param made numbers of new segments, sealed and synced; they do not count yet
     * @param gone numbers of the segments in whose place they are; they count still
     * @param liveBytes of entries that live in all of the zone's segments
     * @param totalBytes what the segments counted that were looked at
     * @param freedBytes what those counted that can go, less what the new ones count
     * @param copiedBytes what the new ones count
     * @param isCut whether there may be more to do, too much for once
     */
    public record Result(CleanJob job, List<Long> made, List<Long> gone, long liveBytes, long totalBytes, long freedBytes,
                  long copiedBytes, boolean isCut) {
        /** Nothing was found out. */
        static Result nothing(CleanJob job) {
            return new Result(job, List.of(), List.of(), 0, 0, 0, 0, false);
        }

        /** Whether anything is known. */
        public boolean isKnown() {
            return totalBytes > 0;
        }

        /** Whether there is something to be done. */
        public boolean hasChanged() {
            return !gone.isEmpty();
        }
    }
}
