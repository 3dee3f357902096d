package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException.Reason;

/**
 * The attempts to dial one node: when the next attempt is due, since when attempts have failed, and why the last
 * attempt has failed. By the agent only, unless stated otherwise.
 */
final class DialAttempts {
    static final String NO_ANSWER = "it does not answer";
    /** The number of short links in a row from which the pause before the next dial is the longest. */
    private static final int SHORT_LINKS_MAX = 5;

    private final HostAddresses hosts = new HostAddresses();
    /** When the node may be dialed again. */
    private long nextNs;
    /** Dials in a row without a link. */
    private int count;
    /** When the first of these dials began; counts while {@link #count} is not 0. */
    private long sinceNs;
    /** Whether the node has refused a dial of the current attempts because the node itself is dialing. */
    private volatile boolean isPeerDialing;
    private volatile String failure = NO_ANSWER;
    private Reason reason = Reason.UNREACHABLE;
    /**
     * Port named by the node for the next dial, in place of the port in the node's address; 0 if the node named no
     * port.
     */
    private volatile int elsewhere;
    /** Whether the last dial was to such a port. */
    private boolean wasElsewhere;
    /** Links in a row that ended soon after opening. */
    private int shortLinks;

    DialAttempts(long nowNs) {
        this.nextNs = nowNs;
    }

    /** Returns whether the node may be dialed. */
    boolean isDue(long nowNs) {
        return nowNs - nextNs >= 0;
    }

    /** Counts a dial, and sets when the next dial is due. */
    void begin(long nowNs, String address, NetworkConfig config) {
        hosts.begin();
        if (count++ == 0) {
            sinceNs = nowNs;
            isPeerDialing = false;
            noAnswer("at " + address);
        }
        nextNs = nowNs + config.redialNs(count);
    }

    /** Returns the choice among the addresses of the node's host. */
    HostAddresses hosts() {
        return hosts;
    }

    /** Called when the next address of the host is to be dialed at once, in the same round. */
    void next(long nowNs) {
        nextNs = nowNs;
        count = Math.max(count - 1, 1);
    }

    /** Returns the port for the next dial; 0 for the port in the node's address. Any thread. */
    int elsewhere() {
        return elsewhere;
    }

    /** Called when a dial to the named port has begun: the next dial goes to the address of the node. */
    void goneElsewhere() {
        wasElsewhere = elsewhere != 0;
        elsewhere = 0;
    }

    /**
     * Dials at once at another port, named by the node. If the node at the named port names a further port, the
     * further port is ignored, so dials never run in circles.
     */
    boolean follow(int port, long nowNs) {
        if (!wasElsewhere) {
            hosts.stay();
            elsewhere = port;
            nextNs = nowNs;
        }
        return !wasElsewhere;
    }

    /** Sets when the next dial is due. */
    void postponeTo(long dueNs) {
        nextNs = dueNs;
    }

    /** Records why the node cannot be dialed, until a link opens or another reason is recorded. */
    void failed(Reason why, String text) {
        reason = why;
        failure = text;
    }

    /** Records that the node does not answer. */
    void noAnswer(String detail) {
        failed(Reason.UNREACHABLE, NO_ANSWER + ' ' + detail);
    }

    /**
     * Records that the node has refused a dial because the node itself is dialing. The node is alive, so the time to
     * reach the node starts again. The time starts again only once: a refusal proves nothing.
     */
    void refusedByDialingPeer(long nowNs) {
        if (!isPeerDialing) {
            isPeerDialing = true;
            sinceNs = nowNs;
        }
    }

    /** Returns whether the node has reported its own dial. Any thread. */
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
     * @param isLower whether this node has the lower NID. The lower node dials at once unless links end as soon as they
     *     open
     */
    void linkLost(long lastedNs, long nowNs, boolean isLower, NetworkConfig config) {
        shortLinks = lastedNs < config.steadyNs() ? shortLinks + 1 : 0;
        nextNs = nowNs + (isLower && shortLinks <= 1 ? 0 : pauseNs(config));
    }

    /** Returns the pause before the next dial; longer if links end as soon as they open. */
    private long pauseNs(NetworkConfig config) {
        return config.redialNs(Math.clamp(shortLinks, 1, SHORT_LINKS_MAX));
    }

    /**
     * Called when a session has ended: the next session is dialed soon, has the full time to be reached, and has its
     * own failures.
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

    /** Returns the kind of {@link #failure}. */
    Reason reason() {
        return reason;
    }
}
