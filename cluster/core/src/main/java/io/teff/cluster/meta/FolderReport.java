package io.teff.cluster.meta;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the data folder of a peer holds: all that a {@link Rebuild} knows of it.
 *
 * @param name name of the peer, for people
 * @param folder id of the folder
 * @param lastIncarnation the last life of the folder; 0 if it is not known
 * @param copies the copies of zones in its log
 * @param tables the tables that the peer has kept; null if it has none
 */
public record FolderReport(String name, UUID folder, int lastIncarnation, List<CopyReport> copies,
                           @Nullable KnownTables tables) {
    /**
     * A copy in a log.
     *
     * @param zone the zone
     * @param copy number of the copy
     * @param last number of its last change, to be compared as unsigned; 0 if it is not known
     * @param isDamaged whether a part of it cannot be read
     */
    public record CopyReport(int zone, int copy, long last, boolean isDamaged) {
        /** {@return the epoch of the last change} */
        int epoch() {
            return (int) (last >>> ZoneRow.EPOCH_SHIFT);
        }
    }

    /** Copies the list. */
    public FolderReport {
        copies = List.copyOf(copies);
    }
}
