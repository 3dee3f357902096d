package io.teff.cluster.net.agent;

/**
 * When a link was last heard and used, and which keep-alives are outstanding. By the link's agent only.
 *
 * <p>A keep-alive is a PROGRESS frame that repeats what its sender has said last. It asks for one in return, as the
 * peer may need keep-alives more often than this side does, or it answers one. Both sides count alike: as many
 * keep-alives are on their way as both have in {@link #asked}. If both ask at the same time neither answers, and an
 * answer is matched with a question, so answers are not answered in turn.
 */
final class KeepAlive {
    /** A frame that grows by fewer bytes than these in the time of silence is stuck. */
    private static final int STUCK_BYTES = 1 << 8;

    private long heardNs;
    private long saidNs;
    /** {@link #heardNs} as of the last time that the link was reported as delayed. */
    private long delayedNs;
    /** Keep-alives that this side sent unprompted and the peer has not answered. */
    private int asked;
    /** Keep-alives of the peer that this side has not answered. */
    private int answersDue;
    /** The end of the peer's stream, with the part of a frame, when it was last found to have grown; and when. */
    private long seenEnd;
    private long seenNs;

    KeepAlive(long nowNs) {
        this.heardNs = nowNs;
        this.saidNs = nowNs;
        this.delayedNs = nowNs - 1;
    }

    /** Called when bytes have arrived. */
    void heard(long nowNs) {
        heardNs = nowNs;
    }

    /** Called when bytes were sent. */
    void said(long nowNs) {
        saidNs = nowNs;
    }

    long heardNs() {
        return heardNs;
    }

    /** Returns whether nothing was sent for longer than {@code ns}. */
    boolean isQuiet(long nowNs, long ns) {
        return nowNs - saidNs > ns;
    }

    /** Returns whether nothing was heard for longer than {@code ns}; true once while that lasts. */
    boolean isDelayed(long nowNs, long ns) {
        final boolean isNew = delayedNs != heardNs && nowNs - heardNs > ns;
        if (isNew) {
            delayedNs = heardNs;
        }
        return isNew;
    }

    /** Counts an unprompted keep-alive of this side. */
    void ask() {
        asked++;
    }

    /** Counts a keep-alive of the peer; returns whether this side owes an answer, as it answers none of this side. */
    boolean received() {
        if (asked > 0) {
            asked--;
            return false;
        }
        answersDue++;
        return true;
    }

    /** Takes an answer that is due, unless this side has sent something within {@code tickNs}; whether there is one. */
    boolean takeAnswerDue(long nowNs, long tickNs) {
        final boolean isDue = answersDue > 0 && nowNs - saidNs >= tickNs;
        if (isDue) {
            answersDue--;
        }
        return isDue;
    }

    /**
     * Returns whether a frame does not reach its end: fewer than {@value #STUCK_BYTES} bytes of it have arrived for
     * longer than {@code ns}. Its length may have been changed on the way, so that it takes the frames that follow for
     * its own bytes, such as keep-alives, which are fewer.
     *
     * @param part received bytes of the frame, or 0
     * @param end position of the stream at the end of these
     */
    boolean isStuck(int part, long end, long nowNs, long ns) {
        if (part == 0 || end < seenEnd || end - seenEnd >= STUCK_BYTES) {
            seenEnd = end;
            seenNs = nowNs;
        }
        return nowNs - seenNs > ns;
    }
}
