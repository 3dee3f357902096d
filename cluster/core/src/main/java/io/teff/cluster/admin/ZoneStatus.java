package io.teff.cluster.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current configuration of a zone, by the tables of the superpeers. Immutable.
 *
 * @param zone id of the zone, the creator in the zone's CIDs, from 1 to 65,533
 * @param epoch number of the configuration, from 1 to 65,535
 * @param state state of the zone
 * @param owner owner of the zone; null without an owner
 * @param backups backups of the zone, the preferred new owner first; without an owner, the candidates for the ownership
 * @param kept copies on disks of ended nodes with every acknowledged change, and the copy of a restoring owner
 * @param outdated copies that had every acknowledged change earlier, and may lack later changes; the newest last
 * @param isUsedUp whether the zone has had all epochs, so that no node ever serves the zone again
 * @param obstacle why the zone is not served for long, for people; null without a known obstacle
 */
public record ZoneStatus(int zone, int epoch, State state, @Nullable NodeLife owner, List<Copy> backups,
                         List<Copy> kept, List<Copy> outdated, boolean isUsedUp, @Nullable String obstacle) {
    /** The state of a zone. */
    public enum State {
        /** The owner serves the zone, and creates chunks in the zone. */
        OPEN,
        /** The owner serves the zone; new chunks go elsewhere. */
        FULL,
        /** The owner has expired; the backups report their last changes. */
        FENCING,
        /** The new owner restores the zone from the own log. */
        RESTORING,
        /** No copy has every acknowledged change, now or ever again. */
        LOST,
        /**
         * No living node has every acknowledged change. A copy on the disk of an ended node has, or a person decides
         * about an older copy.
         */
        WAITING;

        /** {@return whether an owner serves the zone} */
        public boolean isServed() {
            return this == OPEN || this == FULL;
        }
    }

    /**
     * A copy of a zone.
     *
     * @param node the life of the node with the copy; of a doubtful copy only the NID counts
     * @param copy number of the copy
     * @param isCut whether a power cut may have cost the copy acknowledged changes at the copy's end
     * @param isDoubtful whether the copy may not be the whole zone, so that a person must decide
     */
    public record Copy(NodeLife node, int copy, boolean isCut, boolean isDoubtful) {}

    /** Copies the lists. */
    public ZoneStatus {
        backups = List.copyOf(backups);
        kept = List.copyOf(kept);
        outdated = List.copyOf(outdated);
    }

    /**
     * {@return whether the zone, or only its changes, wait for copies on disks of ended nodes, so that a person can
     * give up these copies}
     */
    public boolean isWaiting() {
        return state == State.WAITING || state.isServed() && backups.isEmpty() && !kept.isEmpty();
    }

    /**
     * {@return whether a life of a node owns the zone}
     *
     * @param life the life in question, current or earlier
     */
    public boolean isOwnedBy(NodeLife life) {
        return life.equals(owner);
    }

    /**
     * {@return whether a life of a node is a backup of the zone}
     *
     * @param life the life in question, current or earlier
     */
    public boolean hasBackup(NodeLife life) {
        return backups.stream().anyMatch(copy -> copy.node().equals(life));
    }
}
