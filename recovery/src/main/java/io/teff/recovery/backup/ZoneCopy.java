package io.teff.recovery.backup;

import io.teff.engine.Cid;

/**
 * Names a copy of a zone: all changes of the zone at a backup since the peer last became a backup of the zone. The cell
 * numbers the copies of a zone; a later copy has a higher number, and no number is used again.
 *
 * @param zone the zone, equal to the creator in the CIDs of the zone's chunks, 0 to {@link Cid#NID_MAX}
 * @param copy number of the copy, 0 to {@link #COPY_MAX}
 */
public record ZoneCopy(int zone, int copy) {
    /** The highest number of a copy. */
    public static final int COPY_MAX = (1 << 20) - (1 << 8) - 1;

    /** Rejects values that no file can name. */
    public ZoneCopy {
        if (zone < 0 || zone > Cid.NID_MAX) {
            throw new IllegalArgumentException("zone=" + zone + " is not in 0 to " + Cid.NID_MAX);
        }
        if (copy < 0 || copy > COPY_MAX) {
            throw new IllegalArgumentException("copy=" + copy + " is not in 0 to " + COPY_MAX);
        }
    }

    @Override
    public String toString() {
        return zone + "." + copy;
    }
}
