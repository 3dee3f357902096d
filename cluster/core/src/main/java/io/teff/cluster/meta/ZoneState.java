package io.teff.cluster.meta;

/**
 * State of a zone.
 * <pre>
 *            NewZones
 *               |
 *               v     ZoneFull
 *             OPEN ------------> FULL
 *               |                 |
 *               |  owner expired  |        no backup lives
 *               +--------+--------+------------------------> LOST
 *                        v                                    ^
 *     +------------> FENCING ---------------------------------+
 *     |                  | all backups have reported,         |
 *     | owner or a       | or one has, and the others         |
 *     | backup expired   v are slow                           |
 *     +------------- RESTORING -------------------------------+
 *                        | Owned
 *                        v
 *                  OPEN or FULL
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
    /** No backup of the last configuration lives. */
    LOST;

    /** {@return whether the owner serves the zone} */
    public boolean isServed() {
        return this == OPEN || this == FULL;
    }
}
