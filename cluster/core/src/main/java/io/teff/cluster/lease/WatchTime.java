package io.teff.cluster.lease;

/**
 * The time in which a superpeer has watched its nodes: the time that passes between two of its looks, and of a long
 * while only a small part. Silence while the superpeer did not run says nothing about nodes.
 *
 * <p><b>Gaps.</b> If more than a quarter of the term has passed between two looks, the superpeer was not running, or
 * not enough to receive heartbeats: its process was stopped, its collector paused, its machine was starved or
 * suspended, or its log kept it waiting. The wall clock counts, too, because the monotonic clock of a suspended machine
 * may stand still. If the wall clock is set forward, that is a gap as well, which costs patience and nothing else.
 *
 * <p>Pure: the caller passes the times. Not thread-safe.
 */
final class WatchTime {
    /** The part of the term that is a gap if it passes between two looks. */
    private static final int GAP_PART = 4;

    /** The part of the term that counts at most between two looks. */
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

    /** Returns the time watched until the end of the last gap; 0 if there was none. */
    long gapEndNs() {
        return gapEndNs;
    }

    /** Returns the time watched until the end of the last gap of more than {@link #LONG_TERMS}; 0 if there was none. */
    long longGapEndNs() {
        return longGapEndNs;
    }
}
