package io.teff.cluster.zone;

/**
 * A backup's state of one copy of a zone. Immutable.
 *
 * @param copy number of the copy
 * @param epoch the highest epoch that the backup has seen; the backup takes no run of a lower epoch
 * @param last number of the last change in its log, or 0
 */
public record ZoneBackup(int copy, int epoch, long last) {

    /** The treatment of a run by a backup. */
    public enum Verdict {
        /** Writes the missing changes to its log, then acknowledges the run. */
        TAKE,
        /** Has all changes of the run, and acknowledges again. */
        REPEATED,
        /** Misses changes in front of the run: asks the owner to ship from the last number of the backup on. */
        GAP,
        /** Refuses: the owner has an old epoch, or ships to an earlier copy. */
        STALE
    }

    /** {@return what the backup does with a run} */
    public Verdict verdict(Run run) {
        if (run.epoch() < epoch || run.copy() != copy) {
            return Verdict.STALE;
        }
        long next = ZoneNumber.counter(last) + 1;
        if (ZoneNumber.counter(run.first()) > next) {
            return Verdict.GAP;
        }
        return ZoneNumber.counter(run.last()) < next ? Verdict.REPEATED : Verdict.TAKE;
    }

    /**
     * Fences the copy: from now on the backup refuses runs of lower epochs.
     *
     * @param newEpoch epoch of the row that asks for the fence
     * @return the new state
     */
    public ZoneBackup fenced(int newEpoch) {
        return newEpoch > epoch ? new ZoneBackup(copy, newEpoch, last) : this;
    }

    /**
     * Begins a copy of a learner: the copy needs no change up to a number, because the owner records the zone once
     * more.
     *
     * @param base the number
     * @return the new state; the same state if the copy has begun
     */
    public ZoneBackup begun(long base) {
        return last == 0 ? new ZoneBackup(copy, epoch, base) : this;
    }
}
