package io.teff.cluster.meta;

/**
 * State of a zone.
 * <pre>
 *            NewZones
 *               |
 *               v     ZoneFull
 *             OPEN &lt;-----------&gt; FULL
 *               |   ZoneVacant    |
 *               |                 |
 *               |  owner expired  |     no backup lives, a copy may come back      all gone
 *               +--------+--------+--------------------------------------> WAITING -----> LOST
 *                        v                                                   |  ^
 *     +------------> FENCING ------------------------------------------------|--+
 *     |                  | all backups have reported,                        |  |
 *     | owner or a       | or a backup has, the rest is slow                 |  |
 *     | backup expired   v                                                   |  |
 *     +------------- RESTORING ----------------------------------------------|--+
 *                        ^ |                                                 |
 *                        | | Owned        all copies are back, or a copy     |
 *                        +-|------------- is whole, and no copy comes soon --+
 *                          v
 *                   OPEN or FULL
 * </pre>
 */
public enum ZoneState {
    /** The owner serves the zone, and creates chunks in it. */
    OPEN,
    /** The owner serves the zone; new chunks go elsewhere. */
    FULL,
    /** The owner has expired; the backups refuse the owner's epoch and report their last numbers. */
    FENCING,
    /** The most advanced backup is the new owner and restores the zone from its own log. */
    RESTORING,
    /** No copy has every acknowledged change, now or ever again. */
    LOST,
    /** No living node has every acknowledged change, but a copy on the disk of an ended node has. */
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
