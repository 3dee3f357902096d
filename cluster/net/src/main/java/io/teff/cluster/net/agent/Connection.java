package io.teff.cluster.net.agent;

import io.teff.cluster.net.counter.ConnectionCounters;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.report.ConnectionStats;
import io.teff.cluster.net.stream.RemoteNode;
import io.teff.cluster.net.stream.Session;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Another node as known to this node, across the lives of the other node: at most one unfinished session, and at
 * most one open link. The state of the link is a {@link LinkState}; each move is one method of this class, called by
 * the agent.
 *
 * <p>Threads that put frames wake the agent only if the agent will not check the connection anyway. Two marks tell
 * whether the agent will: {@link #isKnown} is set while the agent checks the connection, or will check it at the next
 * event; {@link #isStalled} is set while the agent counts as checking, but waits for credit. The thread that changes a
 * mark wakes the agent; the agent clears a mark first and then checks once more for work, so no frame is left
 * unattended.
 */
public final class Connection implements RemoteNode {
    /** The agent of a connection, as seen by the connection. */
    public interface Host {
        /** {@return the agent's clock, in nanoseconds} */
        long nowNs();

        /**
         * Makes a session.
         *
         * @param connection of the session
         * @return a session before its beginning
         */
        Session newSession(Connection connection);

        /** {@return whether sessions that begin now end at once; any thread} */
        boolean isClosing();

        /**
         * Sends the frames of a connection, in place of the sleeping agent. Any thread.
         *
         * @param connection with something to send
         * @return false if the agent must be woken
         */
        boolean flush(Connection connection);

        /**
         * Wakes the agent for a connection. Any thread.
         *
         * @param connection with something to do
         */
        void arouse(Connection connection);
    }

    private final int nid;
    private final Host host;
    private final AtomicBoolean isKnown = new AtomicBoolean();
    private final AtomicBoolean isStalled = new AtomicBoolean();
    private final ConnectionCounters counters;
    private volatile @Nullable Session session;
    private volatile @Nullable NetworkException lastEnd;

    // ---- written by the agent; other threads read the volatile fields ----

    private volatile LinkState state = LinkState.DOWN;
    /** The open link, in state UP. */
    private volatile @Nullable Channel channel;
    /** The dialed link, in state DIALING. */
    private volatile @Nullable Channel dialing;
    private final DialAttempts attempts;
    /** Whether the agent checks the connection in each cycle. */
    private boolean isActive;
    /** Whether the agent checks the connection in each tick. */
    private boolean isWatched;
    /** Time since which the session waits for a link; valid only while the session waits. */
    private long awaySinceNs;
    /** When the link was used last. */
    private long usedNs;

    /**
     * Makes a connection without a session.
     *
     * @param host agent of the connection
     * @param nid of the other node
     */
    public Connection(Host host, int nid) {
        this.host = host;
        this.nid = nid;
        this.usedNs = host.nowNs();
        this.attempts = new DialAttempts(usedNs);
        this.counters = new ConnectionCounters(usedNs);
    }

    @Override
    public int nid() {
        return nid;
    }

    @Override
    public ConnectionCounters counters() {
        return counters;
    }

    // ---- the session ----

    @Override
    public Session session() {
        final Session now = session;
        return now != null && !now.out.isEnded() ? now : begin();
    }

    private synchronized Session begin() {
        final Session now = session;
        if (now != null && !now.out.isEnded()) {
            return now;
        }
        final Session next = host.newSession(this);
        session = next;
        if (host.isClosing()) {
            next.out.end();                                     // close may have checked this connection before
        }
        return next;
    }

    /** {@return the session that has not ended, or null} */
    public @Nullable Session known() {
        final Session now = session;
        return now == null || now.out.isEnded() ? null : now;
    }

    @Override
    public @Nullable NetworkException lastEnd() {
        return lastEnd;
    }

    /** Records why the session ends. */
    void setLastEnd(NetworkException why) {
        lastEnd = why;
    }

    /** Releases an ended session, and the memory still held by the session, such as an incomplete message. */
    synchronized void release(Session ended) {
        if (session == ended) {
            session = null;
        }
    }

    // ---- moves of the link's state, by the agent ----

    private void move(LinkState next) {
        assert state.mayBecome(next) : state + " to " + next;
        state = next;
    }

    /** Called when this node has begun to dial. */
    void dialed(Channel link) {
        dialing = link;
        move(LinkState.DIALING);
    }

    /** Called when the dial has failed. */
    void dialFailed() {
        dialing = null;
        move(LinkState.DOWN);
    }

    /** Gives up the dial, if one is under way, and returns the dialed link. */
    @Nullable Channel dialGivenUp() {
        final Channel link = dialing;
        if (link != null) {
            dialFailed();
        }
        return link;
    }

    /** Makes a link carry the session; returns the replaced link. */
    @Nullable Channel opened(Channel link) {
        final Channel before = channel;
        channel = link;
        move(LinkState.UP);
        return before;
    }

    /** Called when an accepted link has opened; returns the dialed link, now superfluous. */
    @Nullable Channel dialSuperseded(Channel opened) {
        final Channel link = dialing;
        dialing = null;
        return link == opened ? null : link;
    }

    /** Called when the link has ended. */
    void lost(boolean isToRest) {
        // first: a reader must not take a resting connection for a lost connection
        move(isToRest ? LinkState.RESTING : LinkState.DOWN);
        channel = null;
    }

    /** Ends the rest, if the connection rests; returns whether the connection rested. */
    boolean wake() {
        final boolean isResting = isResting();
        if (isResting) {
            move(LinkState.DOWN);
        }
        return isResting;
    }

    /** {@return the state of the link; any thread} */
    public LinkState state() {
        return state;
    }

    /** {@return the open link, or null; any thread} */
    public @Nullable Channel channel() {
        return channel;
    }

    /** {@return the link that this node dials, or null; any thread} */
    public @Nullable Channel dialing() {
        return dialing;
    }

    /** Returns whether the link was closed to rest. Any thread. */
    boolean isResting() {
        return state == LinkState.RESTING;
    }

    /** Returns the attempts to dial this node. */
    DialAttempts attempts() {
        return attempts;
    }

    @Override
    public String dialFailure() {
        return attempts.failure();
    }

    /** Returns whether the other node counts as reachable. Any thread. */
    boolean isReachable(Session now) {
        return state != LinkState.DOWN || attempts.isPeerDialing() || attempts.elsewhere() != 0
            || now.isEstablished();
    }

    // ---- times, by the agent ----

    /** Starts the session's wait for a link. */
    void waitForLinkFrom(long nowNs) {
        awaySinceNs = nowNs;
    }

    /** Returns how long the session has waited for a link. */
    long awayNs(long nowNs) {
        return nowNs - awaySinceNs;
    }

    /** Records a use of the link. */
    void used(long nowNs) {
        usedNs = nowNs;
    }

    /** Returns the time since the last use of the link. */
    long unusedNs(long nowNs) {
        return nowNs - usedNs;
    }

    // ---- statistics, by any thread ----

    /** {@return a snapshot for the application} */
    public ConnectionStats stats(long nowNs) {
        final Session now = known();
        final long messages = counters.messagesBefore.get() + (now == null ? 0 : now.out.messages());
        return new ConnectionStats(nid, reported(now), messages, counters.messagesReceived.get(),
            counters.bytesSent.get(), counters.bytesReceived.get(), now == null ? 0 : now.out.unacknowledgedBytes(),
            now == null ? 0 : now.out.ringBytes(), Math.max(counters.links.get() - 1, 0),
            Math.max(nowNs - counters.lastNs.get(), 0));
    }

    private ConnectionStats.State reported(@Nullable Session now) {
        final LinkState link = state;
        if (link == LinkState.UP) {
            return ConnectionStats.State.UP;
        }
        if (now != null && now.isEstablished()) {
            return link == LinkState.RESTING ? ConnectionStats.State.RESTING : ConnectionStats.State.AWAY;
        }
        return link == LinkState.DIALING ? ConnectionStats.State.GREETING : ConnectionStats.State.NONE;
    }

    // ---- the agent's lists ----

    /** {@return whether the agent checks the connection in each cycle} */
    public boolean isActive() {
        return isActive;
    }

    void setActive(boolean isNow) {
        isActive = isNow;
    }

    boolean isWatched() {
        return isWatched;
    }

    void setWatched(boolean isNow) {
        isWatched = isNow;
    }

    // ---- waking the agent ----

    @Override
    public void signal() {
        if (!isKnown.get()) {
            tell(isKnown, true, false);
        }
    }

    @Override
    public void signalOrFlush() {
        if (!isKnown.get()) {
            tell(isKnown, true, true);
        }
    }

    @Override
    public void signalHandled() {
        if (isStalled.get()) {
            tell(isStalled, false, false);
        } else {
            signal();
        }
    }

    /**
     * Sets the mark. The thread that changes the mark wakes the agent; if waking fails, the next thread wakes the
     * agent.
     */
    private void tell(AtomicBoolean mark, boolean isSet, boolean mayFlush) {
        if (!mark.compareAndSet(!isSet, isSet)) {
            return;
        }
        boolean isTold = false;
        try {
            if (!mayFlush || !host.flush(this)) {
                host.arouse(this);
            }
            isTold = true;
        } finally {
            if (!isTold) {
                mark.set(!isSet);
            }
        }
    }

    /** Makes the agent check the connection from now on. */
    public void setKnown() {
        isKnown.set(true);
    }

    /** Lets the agent look away; returns false if work is left for which no thread will wake the agent. */
    public boolean forget() {
        isKnown.set(false);
        final Session now = known();
        return now == null || !now.out.hasUnsent() && !now.hasLate() || !isKnown.compareAndSet(false, true);
    }

    /** Acts as {@link #forget}, for a thread in the agent's place; returns false if the agent must look. */
    boolean handBack() {
        isKnown.set(false);
        final Session now = known();
        return now == null || !now.out.hasUnsent() && !now.hasLate() && !now.isLimitDue()
            || !isKnown.compareAndSet(false, true);
    }

    /**
     * Acts as {@link #forget}, also while messages wait for room: the agent checks the connection again when a frame is
     * put, when the peer has sent something, or in the next tick.
     */
    public boolean pause() {
        isKnown.set(false);
        final Session now = known();
        if (now != null) {
            now.putLate();                                      // frames added while no thread had to wake the agent
        }
        return now == null || !now.out.hasUnsent() && now.isLateWaiting() && !now.isLimitDue()
            || !isKnown.compareAndSet(false, true);
    }

    /**
     * Lets the agent look away from a connection without credit, until the peer sends something, or half a window was
     * handled. Frames put meanwhile wake no thread.
     */
    public boolean stall() {
        isStalled.set(true);
        final Session now = known();
        return now == null || !now.isLimitDue() || !isStalled.compareAndSet(true, false);
    }

    // ---- checking ----

    /**
     * Audits the session, and checks that the agent will find unsent frames: threads that put frames do not wake the
     * agent while the agent checks the connection anyway. By the agent, while no thread puts frames.
     *
     * @throws IllegalStateException if an invariant is broken
     */
    public void audit() {
        final Session now = known();
        final Channel link = channel;
        if (now != null) {
            now.audit();
            if (!isKnown.get() && (now.out.hasUnsent() || now.hasLate() && !now.isLateWaiting())) {
                throw new IllegalStateException("connection to " + nid + ": no agent looks at what is to be sent");
            }
        }
        if (link != null && (!link.isOpen() || link.connection() != this || now == null)
            || (link != null) != (state == LinkState.UP) || (dialing != null) != (state == LinkState.DIALING)) {
            throw new IllegalStateException("connection to " + nid + ": " + state + " with link " + link
                + " and dial " + dialing);
        }
    }
}
