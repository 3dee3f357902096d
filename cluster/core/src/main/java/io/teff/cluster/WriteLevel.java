package io.teff.cluster;

/**
 * The meaning of the acknowledgement of a change in a cluster, and what a read waits for. Each level includes all
 * earlier levels.
 */
public enum WriteLevel {
    /**
     * The owner's memory has the change. If the owner dies, the change may be lost. Reads at this level do not wait for
     * backups either, so the death of the owner may take back what they have shown.
     */
    OWNER,
    /**
     * Every backup of the zone's current configuration has logged the change. The change is not lost while one of these
     * backups survives. Reads at this level, and at the next, show only such changes.
     */
    BACKED,
    /**
     * The disk of every backup of the zone's current configuration has the change. The change is not lost in a power
     * cut either.
     */
    BACKED_SYNCED
}
