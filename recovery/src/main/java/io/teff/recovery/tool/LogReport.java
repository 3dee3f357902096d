package io.teff.recovery.tool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in the folder of a log.
 *
 * @param log its id, hexadecimal
 * @param nid NID of the store or peer whose log it is
 * @param segmentBytes most bytes of a segment
 * @param ending how it was left
 * @param boot of the machine in which it was opened, null if it is closed or nobody knows
 * @param files its files by what they are
 * @param entries all entries, of segments, frames and the ring
 * @param rest what counts beside the segments
 * @param zones all zones
 * @param damage what should be there and cannot be read
 * @param unfinished what a crash has left unfinished: nothing is missing there
 */
public record LogReport(String log, int nid, long segmentBytes, Ending ending, @Nullable String boot,
                        List<Files> files, Entries entries, Rest rest, List<Zone> zones, List<Place> damage,
                        List<Place> unfinished) {
    /** Keeps copies. */
    public LogReport {
        files = List.copyOf(files);
        zones = List.copyOf(zones);
        damage = List.copyOf(damage);
        unfinished = List.copyOf(unfinished);
    }

    /** How a log was left. */
    public enum Ending {
        /** It was closed. */
        CLOSED,
        /** Its process was killed, and the machine went on. */
        KILLED,
        /** The machine was started since, or nobody knows. */
        POWER_CUT
    }

    /**
     * Files of a kind.
     *
     * @param kind {@code manifest}, {@code buffer}, {@code primary}, {@code segments}, or {@code others}, which count
     *     for nothing
     * @param files how many
     * @param bytes of all of them
     */
    public record Files(String kind, long files, long bytes) {}

    /**
     * Entries by what they say.
     *
     * @param puts that bring a chunk's content
     * @param readOnlyPuts the same of chunks that never change again
     * @param removals that say that a chunk is gone
     * @param reservations that say that a CID is taken
     * @param links pieces of chunks of more than 1 MiB
     * @param payloadBytes of all of them
     */
    public record Entries(long puts, long readOnlyPuts, long removals, long reservations, long links,
                          long payloadBytes) {
        /** {@return how many there are} */
        public long count() {
            return puts + readOnlyPuts + removals + reservations + links;
        }
    }

    /**
     * What counts beside the segments.
     *
     * @param firstFrame number of the first frame that counts
     * @param frames how many are there
     * @param frameEntries entries in them
     * @param ringRecords records of the write buffer that count
     * @param ringEntries entries in them
     */
    public record Rest(long firstFrame, long frames, long frameEntries, long ringRecords, long ringEntries) {}

    /**
     * A zone.
     *
     * @param zone its name, {@code owner:number}
     * @param fileBytes of its segments
     * @param entries all entries, those of frames and ring included
     * @param restEntries how many of them are in frames and the ring
     * @param segments its segments, by number
     */
    public record Zone(String zone, long fileBytes, Entries entries, long restEntries, List<Segment> segments) {
        /** Keeps a copy. */
        public Zone {
            segments = List.copyOf(segments);
        }
    }

    /**
     * A segment.
     *
     * @param file its name in the log's folder
     * @param sealed whether it never changes again
     * @param fileBytes its size
     * @param entries how many it has
     * @param entryBytes of all of them
     * @param liveBytes of those that no later one has replaced; about
     */
    public record Segment(String file, boolean sealed, long fileBytes, long entries, long entryBytes,
                          long liveBytes) {}

    /**
     * A part of a file.
     *
     * @param file its name in the log's folder
     * @param offset where the part begins
     * @param bytes how long it is at most
     * @param why what is wrong there
     */
    public record Place(String file, long offset, long bytes, String why) {}
}
