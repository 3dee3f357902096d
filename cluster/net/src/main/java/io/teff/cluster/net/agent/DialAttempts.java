package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException.Reason;

/**
 * The attempts to dial one node: when the next one is due, since when they have failed, and why the last one has
 * failed. By the agent only, unless stated otherwise.
 */
final class DialAttempts {
    static final String NO_ANSWER = "it does not answer";
    /** Short links in a row after which the pause before the next dial is the longest. */
    private static final int SHORT_LINKS_MAX = 5;

    /** When the node may be dialed again. */
    private long nextNs;
    /** Dials in a row without a link. */
    private int count;
    /** When the first of these dials began; counts while {@link #count} is not 0. */
    private long sinceNs;
    /** Whether the node has refused one of these dials because it dials itself. */
    private volatile boolean isPeerDialing;
    private volatile String failure = NO_ANSWER;
    private Reason reason = Reason.UNREACHABLE;
    /** Port that the node has named in place of that of its address, for the next dial; 0 for none. */
    private volatile int elsewhere;
    /** Whether the last dial was to such a port. */
    private boolean wasElsewhere;
    /** Links in a row that have ended soon after they began. */
    private int shortLinks;

    DialAttempts(long nowNs) {
        this.nextNs = nowNs;
    }

    /** Returns whether the node may be dialed. */
    boolean isDue(long nowNs) {
        return nowNs - nextNs >= 0;
    }

    /** Counts a dial, and sets when the next one is due. */
    void begin(long nowNs, String address, NetworkConfig config) {
        if (count++ == 0) {
            sinceNs = nowNs;
            isPeerDialing = false;
            noAnswer("at " + address);
        }
        nextNs = nowNs + config.redialNs(count);
    }

    /** Returns the port that the next dial goes to; 0 for that of the node's address. Any thread. */
    int elsewhere() {
        return elsewhere;
    }

    /** Called when a dial has begun that goes to that port: the one after it does not. */
    void goneElsewhere() {
        wasElsewhere = elsewhere != 0;
        elsewhere = 0;
    }

    /**
     * The node has named another port: it is dialed there at once. A node that does so again after that is not
     * followed, so that none is dialed in circles.
     */
    boolean follow(int port, long nowNs) {
        if (!wasElsewhere) {
            elsewhere = port;
            nextNs = nowNs;
        }
        return !wasElsewhere;
    }

    /** Sets when the next dial is due. */
    void postponeTo(long dueNs) {
        nextNs = dueNs;
    }

    /** Records why the node cannot be dialed, until a link opens or there is another reason. */
    void failed(Reason why, String text) {
        reason = why;
        failure = text;
    }

    /** Records that the node does not answer. */
    void noAnswer(String detail) {
        failed(Reason.UNREACHABLE, NO_ANSWER + ' ' + detail);
    }

    /**
     * Records that the node has refused a dial because it dials itself. It is alive, so it gets as much time again, but
     * once: a refusal proves nothing.
     */
    void refusedByDialingPeer(long nowNs) {
        if (!isPeerDialing) {
            isPeerDialing = true;
            sinceNs = nowNs;
        }
    }

    /** Returns whether the node has said that it dials itself. Any thread. */
    boolean isPeerDialing() {
        return isPeerDialing;
    }

    /** Called when a link has opened. */
    void succeeded(long nowNs) {
        reset();
        nextNs = nowNs;
    }

    private void reset() {
        count = 0;
        failed(Reason.UNREACHABLE, NO_ANSWER);
    }

    /**
     * Called when a link was lost.
     *
     * @param lastedNs duration of the link in nanoseconds
     * @param isLower whether this node has the lower NID, and dials at once unless links end as soon as they begin
     */
    void linkLost(long lastedNs, long nowNs, boolean isLower, NetworkConfig config) {
        shortLinks = lastedNs < config.steadyNs() ? shortLinks + 1 : 0;
        nextNs = nowNs + (isLower && shortLinks <= 1 ? 0 : pauseNs(config));
    }

    /** Returns the pause before the next dial; longer where links end as soon as they begin. */
    private long pauseNs(NetworkConfig config) {
        return config.redialNs(Math.clamp(shortLinks, 1, SHORT_LINKS_MAX));
    }

    /**
     * Called when a session has ended: the next one is dialed soon, has the full time to be reached, and its own
     * failures.
     */
    void sessionEnded(long nowNs, NetworkConfig config) {
        final long soonNs = nowNs + pauseNs(config);
        nextNs = nextNs - soonNs > 0 ? soonNs : nextNs;
        reset();
    }

    /** Called when the node begins to count as unreachable. */
    void givenUp() {
        count = 0;
    }

    /** Returns whether the node has been dialed without a link for longer than {@code reachNs}. */
    boolean isInVain(long nowNs, long reachNs) {
        return count > 0 && nowNs - sinceNs > reachNs;
    }

    /** Returns why the last dial has failed. Any thread. */
    String failure() {
        return failure;
    }

    /** Returns the kind of that failure. */
    Reason reason() {
        return reason;
    }
}
