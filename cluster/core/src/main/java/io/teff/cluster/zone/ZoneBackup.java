package io.teff.cluster.zone;

/**
 * A backup's state of one copy of a zone. Immutable.
 *
 * @param copy number of the copy
 * @param epoch the highest epoch that the backup has seen; it takes no run of a lower one
 * @param last number of the last change in its log, or 0
 */
public record ZoneBackup(int copy, int epoch, long last) {

    /** The treatment of a run by a backup. */
    public enum Verdict {
        /** Writes the changes that it does not have yet to its log, then acknowledges the run. */
        TAKE,
        /** Has all changes of the run, and acknowledges again. */
        REPEATED,
        /** Misses changes in front of the run: asks the owner to ship from its last number on. */
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

    /** {@return the state after a run that is not stale; a gap only raises the epoch} */
    public ZoneBackup after(Run run) {
        return new ZoneBackup(copy, run.epoch(), verdict(run) == Verdict.TAKE ? run.last() : last);
    }

    /**
     * Fences the copy: from now on it refuses runs of lower epochs.
     *
     * @param newEpoch epoch of the row that asks for it
     * @return the new state
     */
    public ZoneBackup fenced(int newEpoch) {
        return newEpoch > epoch ? new ZoneBackup(copy, newEpoch, last) : this;
    }

    /**
     * Begins a copy of a learner: it needs no change up to a number, because the owner records the zone once more.
     *
     * @param base the number
     * @return the new state; the same one if the copy has begun
     */
    public ZoneBackup begun(long base) {
        return last == 0 ? new ZoneBackup(copy, epoch, base) : this;
    }
}
