package io.teff.cluster.meta;

/**
 * State of a zone.
 * <pre>
 *            NewZones
 *               |
 *               v     ZoneFull
 *             OPEN ------------> FULL
 *               |                 |
 *               |  owner expired  |     no backup lives, a copy may come back      none may
 *               +--------+--------+--------------------------------------> WAITING -----> LOST
 *                        v                                                   |  ^
 *     +------------> FENCING ------------------------------------------------|--+
 *     |                  | all backups have reported,                        |  |
 *     | owner or a       | or one has, and the others are slow               |  |
 *     | backup expired   v                                                   |  |
 *     +------------- RESTORING ----------------------------------------------|--+
 *                        ^ |                                                 |
 *                        | | Owned        all copies have come back, or one  |
 *                        +-|------------- that is whole, and no other soon --+
 *                          v
 *                   OPEN or FULL
 * </pre>
 */
public enum ZoneState {
    /** The owner serves the zone, and creates chunks in it. */
    OPEN,
    /** The owner serves the zone; new chunks go elsewhere. */
    FULL,
    /** The owner has expired; its backups refuse its epoch and report their last number. */
    FENCING,
    /** The most advanced backup is the new owner and restores the zone from its log. */
    RESTORING,
    /** No copy has every acknowledged change, now or ever again. */
    LOST,
    /** No node that lives has every acknowledged change, but a copy on the disk of one that has ended has. */
    WAITING;

    /** {@return whether the owner serves the zone} */
    public boolean isServed() {
        return this == OPEN || this == FULL;
    }

    /** {@return whether the backups of the row are candidates, which fence their copies and report them} */
    public boolean isFenced() {
        return this == FENCING || this == WAITING;
    }
}
