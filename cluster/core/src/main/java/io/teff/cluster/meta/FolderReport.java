package io.teff.cluster.meta;

import io.teff.cluster.net.identity.ClusterId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The content of a peer's data folder: all knowledge of a {@link Rebuild} about the folder.
 *
 * @param name name of the peer, for people
 * @param folder id of the folder
 * @param cluster the cluster of the folder; unknown if the folder does not say it
 * @param lastIncarnation number of the folder's last life; 0 if unknown
 * @param copies the copies of zones in the folder's log
 * @param tables the tables kept by the peer; null if the peer kept no tables
 */
public record FolderReport(String name, UUID folder, ClusterId cluster, int lastIncarnation,
                           List<CopyReport> copies, @Nullable KnownTables tables) {
    /**
     * A copy in a log.
     *
     * @param zone id of the zone
     * @param copy number of the copy
     * @param last number of the copy's last change, to be compared as unsigned; 0 if unknown
     * @param isDamaged whether a part of the copy is unreadable
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
