package io.teff.cluster.lease;

/**
 * The time during which a superpeer has watched its nodes: the time between two looks of the superpeer. Of a long time
 * between two looks only a small part counts. Silence while the superpeer did not run says nothing about nodes.
 *
 * <p><b>Gaps.</b> If more than a quarter of the term has passed between two looks, the superpeer was not running, or
 * not enough to receive heartbeats: the superpeer's process was stopped, the garbage collector paused, the machine was
 * starved or suspended, or the log blocked the process. The wall clock counts, too, because the monotonic clock of a
 * suspended machine may stand still. Setting the wall clock forward is a gap as well. Such a gap costs patience and
 * nothing else.
 *
 * <p>Pure: the caller passes the times. Not thread-safe.
 */
final class WatchTime {
    /** A time between two looks is a gap if longer than this part of the term. */
    private static final int GAP_PART = 4;

    /** At most this part of the term counts between two looks. */
    private static final int STEP_PART = 8;

    /** Terms of a gap in which links may have broken, or have been cut, unseen. */
    private static final int LONG_TERMS = 1;

    private final long gapNs;
    private final long longGapNs;
    private final long stepMaxNs;
    private boolean hasLooked;
    private long lookedNs;
    private long lookedWallNs;
    private long watchedNs;
    private long gapEndNs;
    private long longGapEndNs;

    WatchTime(LeaseTerms terms) {
        gapNs = terms.termNs() / GAP_PART;
        longGapNs = LONG_TERMS * terms.termNs();
        stepMaxNs = terms.termNs() / STEP_PART;
    }

    /**
     * The superpeer looks at its nodes.
     *
     * @param nowNs time of the monotonic clock
     * @param wallNs time of the wall clock, in nanoseconds
     */
    void look(long nowNs, long wallNs) {
        if (hasLooked) {
            watchedNs += Math.min(nowNs - lookedNs, stepMaxNs);
            long passed = Math.max(nowNs - lookedNs, wallNs - lookedWallNs);
            if (passed > gapNs) {
                gapEndNs = watchedNs;
                longGapEndNs = passed > longGapNs ? watchedNs : longGapEndNs;
            }
        }
        hasLooked = true;
        lookedNs = nowNs;
        lookedWallNs = wallNs;
    }

    /** Returns the time watched until the last look. */
    long nowNs() {
        return watchedNs;
    }

    /** Returns the time watched until the end of the last gap; 0 if there was no gap. */
    long gapEndNs() {
        return gapEndNs;
    }

    /**
     * Returns the time watched until the end of the last gap of more than {@link #LONG_TERMS}; 0 if there was no such
     * gap.
     */
    long longGapEndNs() {
        return longGapEndNs;
    }
}
