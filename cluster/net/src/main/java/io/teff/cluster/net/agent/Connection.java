package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.ConnectionCounters;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.report.ConnectionStats;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Another node as this one knows it, whatever its incarnation is: at most one session, at most one link that is open.
 *
 * <pre>
 *  NONE ──dial or accept──> GREETING ──proved──> UP ──link lost──> AWAY ──new link, resumed──> UP
 *                              │                  │                  ├── deadline, other incarnation ──> NONE
 *                              └── refused ──> NONE├── closed ──> NONE
 *                                                 └── at rest ──> RESTING ──something to send──> AWAY
 *                                                                    └── called ──> UP
 * </pre>
 */
public final class Connection {
    static final String NO_ANSWER = "it does not answer";

    public final int nid;
    private final Agent node;
    /** Whether the agent looks at it, or will when something happens: then nobody has to tell it of a new frame. */
    private final AtomicBoolean isKnown = new AtomicBoolean();
    /** Whether the agent, which counts as looking at it, has looked away as there is no credit. */
    private final AtomicBoolean isStalled = new AtomicBoolean();
    private volatile @Nullable Session session;
    public final ConnectionCounters traffic;
    /** Why its last session has ended; null if none has. */
    public volatile @Nullable NetworkException lastEnd;

    // ---- the agent's; statistics read the first three ----

    public volatile @Nullable Channel channel;
    volatile @Nullable Channel dialing;
    /** There is a session, and its link was closed as nobody needed it. */
    public volatile boolean isResting;
    public boolean isActive;
    /** Whether the agent looks at it in each tick. */
    boolean isWatched;
    /** When it may dial again. */
    long nextDialNs;
    int dials;
    /** When it was dialed first; counts while there are dials without an answer. */
    long dialsSinceNs;
    /** Whether it has said since then that it dials itself. Read by others. */
    volatile boolean isThere;
    /** Read by others. */
    public volatile String dialFailure = NO_ANSWER;
    Reason dialReason = Reason.UNREACHABLE;
    /** So many links in a row have ended soon after they began. */
    int shortLinks;
    /** When its link was lost, or was needed again; counts while there is a session that waits for a link. */
    long awaySinceNs;
    long usedNs;

    public Connection(Agent node, int nid) {
        this.node = node;
        this.nid = nid;
        this.nextDialNs = node.nowNs();
        this.usedNs = nextDialNs;
        this.traffic = new ConnectionCounters(nextDialNs);
    }

    /** The session to put frames into; a new one if there is none that goes on. */
    public Session session() {
        final Session now = session;
        return now != null && !now.out.isEnded() ? now : begin();
    }

    private synchronized Session begin() {
        final Session now = session;
        if (now != null && !now.out.isEnded()) {
            return now;
        }
        final NetworkConfig config = node.config();
        final SendStream out = new SendStream(node.rings(), config.ringBytesMin(), config.ringBytesMax(),
            config.windowBytes() - Frame.BYTES_MAX);
        final Input input = new Input();
        final Session next = new Session(this, node.randomLong(), out, new FrameInput(node.checker(), input),
            config.windowBytes());
        input.session = next;
        session = next;
        if (node.isClosing()) {
            out.end();                                          // close may have looked at this one before
        }
        return next;
    }

    /** What a session that has ended still keeps, such as half a message, is the collector's. */
    synchronized void ended(Session its) {
        if (session == its) {
            session = null;
        }
    }

    /** The session that there is. */
    public @Nullable Session known() {
        final Session now = session;
        return now == null || now.out.isEnded() ? null : now;
    }

    // ---- statistics, by any thread ----

    public ConnectionStats stats(long nowNs) {
        final Session its = known();
        final long messages = traffic.messagesBefore.get() + (its == null ? 0 : its.out.messages());
        return new ConnectionStats(nid, state(its), messages, traffic.messagesReceived.get(), traffic.bytesSent.get(),
            traffic.bytesReceived.get(), its == null ? 0 : its.out.unacknowledgedBytes(),
            its == null ? 0 : its.out.ringBytes(), Math.max(traffic.links.get() - 1, 0),
            Math.max(nowNs - traffic.lastNs.get(), 0));
    }

    private ConnectionStats.State state(@Nullable Session its) {
        if (channel != null) {
            return ConnectionStats.State.UP;
        }
        if (its != null && its.isEstablished()) {
            return isResting ? ConnectionStats.State.RESTING : ConnectionStats.State.AWAY;
        }
        return dialing == null ? ConnectionStats.State.NONE : ConnectionStats.State.GREETING;
    }

    // ---- the agent ----

    /** Why it cannot be dialed, until a link opens or it is something else. */
    void setDialFailure(Reason reason, String what) {
        dialReason = reason;
        dialFailure = what;
    }

    /** Something was put, or handled: the agent is to look. Any thread. */
    public void signal() {
        if (!isKnown.get()) {
            tell(isKnown, true, false);
        }
    }

    /** The same by a thread that does nothing but wait then: where the agent sleeps, it does the agent's work here. */
    public void signalOrFlush() {
        if (!isKnown.get()) {
            tell(isKnown, true, true);
        }
    }

    /** Who sets the mark tells the agent; if that fails, the next one does. */
    private void tell(AtomicBoolean mark, boolean isSet, boolean mayFlush) {
        if (!mark.compareAndSet(!isSet, isSet)) {
            return;
        }
        boolean isTold = false;
        try {
            if (!mayFlush || !node.flush(this)) {
                node.arouse(this);
            }
            isTold = true;
        } finally {
            if (!isTold) {
                mark.set(!isSet);
            }
        }
    }

    /** So much was handled that the other side is told at once, also while nothing can be sent. Any thread. */
    public void signalHandled() {
        if (isStalled.get()) {
            tell(isStalled, false, false);
        } else {
            signal();
        }
    }

    /** The agent looks at it from now on. */
    void setKnown() {
        isKnown.set(true);
    }

    /** The agent looks away, unless something is there that nobody will tell it of again. */
    boolean forget() {
        isKnown.set(false);
        final Session now = known();
        return now == null || !now.out.hasUnsent() && !now.hasLate() || !isKnown.compareAndSet(false, true);
    }

    /** The same by who was in the agent's place; false if that has to look. */
    boolean handBack() {
        isKnown.set(false);
        final Session now = known();
        return now == null || !now.out.hasUnsent() && !now.hasLate() && !now.isLimitDue()
            || !isKnown.compareAndSet(false, true);
    }

    /**
     * The same, though something may wait for room: it is looked at again when something is put, the other side has
     * said something, or in the next tick.
     */
    boolean pause() {
        isKnown.set(false);
        final Session now = known();
        if (now != null) {
            now.putLate();                                      // what came while nobody had to tell
        }
        return now == null || !now.out.hasUnsent() && now.isLateWaiting() && !now.isLimitDue()
            || !isKnown.compareAndSet(false, true);
    }

    /**
     * The agent looks away from what has no credit, until the other side says something, or much was handled. What is
     * put meanwhile need not be told.
     */
    boolean stall() {
        isStalled.set(true);
        final Session now = known();
        return now == null || !now.isLimitDue() || !isStalled.compareAndSet(true, false);
    }

    // ---- checking ----

    /**
     * Audits its session, and looks whether somebody will come for what it has to do: who puts something tells nobody
     * while the agent counts as looking. By the agent, while nobody puts.
     */
    void audit() {
        final Session now = known();
        final Channel its = channel;
        if (now != null) {
            now.audit();
            if (!isKnown.get() && (now.out.hasUnsent() || now.hasLate() && !now.isLateWaiting())) {
                throw new IllegalStateException("connection to " + nid + ": nobody looks at what is to be sent");
            }
        }
        if (its != null && (!its.isOpen() || its.connection() != this || now == null || isResting)) {
            throw new IllegalStateException("connection to " + nid + ": its link is " + its + ", resting " + isResting);
        }
    }

    /** Takes the frames of a session. */
    private final class Input implements FrameInput.Sink {
        private @Nullable Session session;

        @Override
        public void frame(MemorySegment memory, long at) throws ProtocolException {
            final Session its = session;
            if (its != null) {
                take(its, memory, at);
            }
        }

        /** The stream has moved on when a frame is shown, so a session cannot go on behind one that is refused. */
        private void take(Session its, MemorySegment memory, long at) throws ProtocolException {
            try {
                if (channel == null) {
                    throw new ProtocolException("a frame follows CLOSING");
                }
                if (its.isBeyondMessages() && (Frame.flags(memory, at) & Frame.RESPONSE) == 0) {
                    throw new ProtocolException("more messages came than were allowed: " + its.in.position());
                }
                node.dispatcher().take(its, memory, at);
            } catch (ProtocolException e) {
                node.lose(Connection.this, its, String.valueOf(e.getMessage()));
                throw e;
            }
        }

        @Override
        public void control(MemorySegment memory, long at) throws ProtocolException {
            final Channel its = channel;
            if (its != null) {
                its.control(memory, at);
            }
        }
    }
}
