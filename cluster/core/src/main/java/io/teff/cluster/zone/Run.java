package io.teff.cluster.zone;

/**
 * The head of a run: consecutive changes of one zone, shipped by the owner of the zone.
 *
 * @param zone number of the zone
 * @param copy number of the backup's copy
 * @param epoch epoch of the owner's configuration
 * @param first number of the first change; the epoch of the number is lower than the epoch of the run if the change is
 *     from an earlier owner
 * @param count number of changes, at least 1; all have the epoch of the first one
 */
public record Run(int zone, int copy, int epoch, long first, int count) {
    /** {@return the number of the last change} */
    public long last() {
        return first + count - 1;
    }
}
