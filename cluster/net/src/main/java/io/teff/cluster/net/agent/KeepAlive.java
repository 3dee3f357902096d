package io.teff.cluster.net.agent;

/**
 * When a link was last heard and used, and which keep-alives are outstanding. By the link's agent only.
 *
 * <p>A keep-alive is a PROGRESS frame with the values of the sender's last PROGRESS frame. A keep-alive either asks for
 * a keep-alive in return, because the peer may need keep-alives more often than this side, or answers a keep-alive.
 * Both sides count alike: as many keep-alives are on their way as both sides have in {@link #asked}. If both sides ask
 * at the same time, neither side answers. An answer is matched with a question, so answers are never answered in turn.
 */
final class KeepAlive {
    /** A frame is stuck if the frame grows by fewer than these bytes in the time of silence. */
    private static final int STUCK_BYTES = 1 << 8;

    private long heardNs;
    private long saidNs;
    /** {@link #heardNs} when the link was last reported as delayed. */
    private long delayedNs;
    /** Keep-alives sent by this side unprompted and not yet answered by the peer. */
    private int asked;
    /** Keep-alives of the peer not yet answered by this side. */
    private int answersDue;
    /**
     * The end of the peer's stream, including a partial frame, when the stream was last seen to have grown; and the
     * time at that moment.
     */
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

    /** Returns whether nothing was heard for longer than {@code ns}; true once per silence. */
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

    /**
     * Counts a keep-alive of the peer; returns whether this side owes an answer, because the keep-alive answers none of
     * this side.
     */
    boolean received() {
        if (asked > 0) {
            asked--;
            return false;
        }
        answersDue++;
        return true;
    }

    /**
     * Takes a due answer, unless this side has sent something within {@code tickNs}; returns whether an answer was
     * taken.
     */
    boolean takeAnswerDue(long nowNs, long tickNs) {
        final boolean isDue = answersDue > 0 && nowNs - saidNs >= tickNs;
        if (isDue) {
            answersDue--;
        }
        return isDue;
    }

    /**
     * Returns whether a frame never reaches its end: fewer than {@value #STUCK_BYTES} bytes of the frame have arrived
     * for longer than {@code ns}. The frame's length may have been corrupted on the way. Then the frame swallows the
     * bytes of the following frames, such as keep-alives, which are fewer than the limit.
     *
     * @param part received bytes of the frame, or 0
     * @param end position of the stream behind {@code part}
     */
    boolean isStuck(int part, long end, long nowNs, long ns) {
        if (part == 0 || end < seenEnd || end - seenEnd >= STUCK_BYTES) {
            seenEnd = end;
            seenNs = nowNs;
        }
        return nowNs - seenNs > ns;
    }
}
