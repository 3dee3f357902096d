package io.teff.recovery.tool;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Contents of the folder of a log.
 *
 * @param log id of the log, hexadecimal
 * @param nid NID of the store or peer that owns the log
 * @param segmentBytes limit of the bytes of a segment
 * @param ending how it was left
 * @param boot id of the boot in which the log was opened; null if it is closed or the boot is unknown
 * @param files files by kind
 * @param entries all entries of segments, frames and ring
 * @param rest entries that count beside the segments
 * @param zones all zones
 * @param damage parts that should be present and cannot be read
 * @param unfinished parts that a crash has left incomplete; nothing is missing there
 */
public record LogReport(String log, int nid, long segmentBytes, Ending ending, @Nullable String boot,
                        List<Files> files, Entries entries, Rest rest, List<Zone> zones, List<Place> damage,
                        List<Place> unfinished) {
    /** Copies the lists. */
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
        /** Its process was killed, and the machine kept running. */
        KILLED,
        /** The machine was restarted since, or that is unknown. */
        POWER_CUT
    }

    /**
     * Files of one kind.
     *
     * @param kind {@code manifest}, {@code buffer}, {@code primary}, {@code segments}, or {@code others}, which do not
     *     count
     * @param files number of files
     * @param bytes bytes of all these files
     */
    public record Files(String kind, long files, long bytes) {}

    /**
     * Numbers of entries by kind.
     *
     * @param puts entries with the payload of a chunk
     * @param readOnlyPuts entries with the payload of a chunk that never changes again
     * @param removals entries of removed chunks
     * @param reservations entries of CIDs that are reserved without a chunk
     * @param links pieces of chunks of more than 1 MiB
     * @param changes entries with changed bytes of a chunk
     * @param payloadBytes bytes of all payloads
     */
    public record Entries(long puts, long readOnlyPuts, long removals, long reservations, long links, long changes,
                          long payloadBytes) {
        /** {@return the number of all entries} */
        public long count() {
            return puts + readOnlyPuts + removals + reservations + links + changes;
        }
    }

    /**
     * Entries that count beside the segments.
     *
     * @param firstFrame number of the first frame that counts
     * @param frames number of frames
     * @param frameEntries entries in them
     * @param ringRecords records of the write buffer that count
     * @param ringEntries entries in them
     */
    public record Rest(long firstFrame, long frames, long frameEntries, long ringRecords, long ringEntries) {}

    /**
     * Contents of a zone.
     *
     * @param zone name of the zone, {@code owner:number}
     * @param fileBytes bytes of its segments
     * @param entries all entries, including those of frames and ring
     * @param restEntries number of its entries in frames and ring
     * @param segments its segments, by number
     */
    public record Zone(String zone, long fileBytes, Entries entries, long restEntries, List<Segment> segments) {
        /** Copies the list. */
        public Zone {
            segments = List.copyOf(segments);
        }
    }

    /**
     * Contents of a segment.
     *
     * @param file name in the folder of the log
     * @param sealed whether the segment never changes again
     * @param fileBytes size of the file
     * @param entries number of entries
     * @param entryBytes bytes of all entries
     * @param liveBytes approximate bytes of the entries without a later entry
     */
    public record Segment(String file, boolean sealed, long fileBytes, long entries, long entryBytes,
                          long liveBytes) {}

    /**
     * A part of a file.
     *
     * @param file name in the folder of the log
     * @param offset where the part begins
     * @param bytes the longest length of the part
     * @param why the reason
     */
    public record Place(String file, long offset, long bytes, String why) {}
}
