package io.teff.cluster.net.stream;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Greeting;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A stream of frames in each direction between two incarnations of two nodes, which outlives its links. Threads put
 * frames into {@link #out} and count what they have {@link #consumed}; the rest is the agent's.
 */
public final class Session implements MessageTarget, MessageOrigin {
    /** Where less than this part of the window is left, handlers are late. */
    private static final int LEFT_PART = 4;
    /** In place of a limit: none waits. */
    private static final long NONE = -1;

    private final Peer peer;
    public final SendStream out;
    public final FrameInput in;
    /** Bytes of the stream that came in and are handled. */
    private final AtomicLong consumed = new AtomicLong();
    private final FragmentTable fragments = new FragmentTable();
    /** How many messages have begun to leave in parts, and have not ended. */
    private final AtomicInteger begunMessages = new AtomicInteger();
    private final AtomicInteger begunAnswers = new AtomicInteger();
    private final Lanes lanes = new Lanes();
    private final Backlog late;
    private final long window;
    /** Who chose it: the dialer of the first link. */
    private long id;
    private long peerIncarnation;
    private volatile boolean isEstablished;
    /** Whether the other side is known to have it, too; else nothing of it was sent or has come. */
    private boolean isSure;
    /** How far the other side takes what is sent. */
    private long peerLimit;
    /** The same once the other side has said something, so that it is sure. */
    private long waitingLimit = NONE;
    private long toldReceived;
    /** Read by others, who may see an old one. */
    private volatile long toldLimit;
    private long toldNs;
    private long seenReceived;
    /** So far the other side was told that messages may go, that are no answers. */
    private long messageLimit;

    public Session(Peer peer, long id, SendStream out, FrameInput in, long window) {
        this.peer = peer;
        this.id = id;
        this.out = out;
        this.in = in;
        this.late = new Backlog(window);
        this.window = window;
        this.toldLimit = window;
        this.messageLimit = window;
    }

    @Override
    public int nid() {
        return peer.nid();
    }

    /** {@return the other node} */
    public Peer peer() {
        return peer;
    }

    @Override
    public SendStream out() {
        return out;
    }

    @Override
    public void signal() {
        peer.signal();
    }

    /** {@return messages that have begun to come in fragments} */
    public FragmentTable fragments() {
        return fragments;
    }

    Lanes lanes() {
        return lanes;
    }

    /** Part of what came in is handled, or, if less than 0, is not after all. Any thread. */
    @Override
    public void consumed(long bytes) {
        if (isMuch(consumed.addAndGet(bytes))) {
            peer.signalHandled();
        }
    }

    /** Whether so much is handled that the other side is told at once. Any thread. */
    public boolean isLimitDue() {
        return isMuch(consumed.get());
    }

    private boolean isMuch(long handled) {
        return handled + window - toldLimit >= window / 2;
    }

    /**
     * Puts as much of a message as there is room for; OK if all of it is put, FULL, or ENDED. What its codec throws
     * ends it, also where it has begun. Any thread.
     */
    @Override
    public int put(OutgoingMessage message) {
        try {
            return message.put(this);
        } catch (Throwable e) {                                 // whatever a codec throws, or it is too large
            drop(message);
            throw e;
        }
    }

    /**
     * There is no room for the rest of a message yet. It is made now, as its sender goes on. Any thread.
     *
     * @param taken bytes of a request that are handled when it is put
     */
    @Override
    public void putLater(OutgoingMessage message, long taken) {
        final OutgoingMessage rest;
        try {
            rest = message.rest();
        } catch (Throwable e) {                                 // the same
            drop(message);
            throw e;
        }
        add(rest, taken);
    }

    /**
     * The same of a message that is no answer; false if so much waits that it ends in the middle instead, and the other
     * side forgets what has come. Any thread.
     */
    boolean putLater(OutgoingMessage message) {
        if (late.isFullOfMessages()) {
            drop(message);
            return false;
        }
        putLater(message, 0);
        return true;
    }

    /** A message begins that leaves in parts; false if as many have begun as may. Any thread. */
    @Override
    public boolean beginFragments(boolean isAnswer) {
        final AtomicInteger begun = isAnswer ? begunAnswers : begunMessages;
        if (begun.incrementAndGet() <= FragmentTable.COUNT_MAX) {
            return true;
        }
        begun.decrementAndGet();
        return false;
    }

    /** One of those has ended, or has not begun after all. Any thread. */
    @Override
    public void endFragments(boolean isAnswer) {
        (isAnswer ? begunAnswers : begunMessages).decrementAndGet();
    }

    private void drop(OutgoingMessage message) {
        if (message.isBegun()) {
            add(message.dropped(), 0);
        }
    }

    private void add(OutgoingMessage message, long taken) {
        late.add(message, taken);
        peer.signal();
    }

    /** Lets a request wait if answers do that are too many; false if it is to be handled now. Any thread. */
    @Override
    public boolean hold(DeferredRequest request) {
        if (!late.isFull()) {
            return false;
        }
        late.hold(request);
        peer.signal();                                    // it may have been the last answer meanwhile
        return true;
    }

    /** Puts what waits, as far as there is room; by the agent. */
    public void putLate() {
        late.putAll(this);
    }

    /** Whether something waits for room. */
    public boolean hasLate() {
        return !late.isEmpty();
    }

    /** Whether answers wait for room, and others have to wait behind them. Any thread. */
    @Override
    public boolean hasLateAnswers() {
        return late.hasAnswers() && !out.isEnded();
    }

    /** Whether rests of messages wait for room. */
    boolean hasLateMessages() {
        return late.hasMessages();
    }

    /** Whether what waits for room needs another event to go on. */
    public boolean isLateWaiting() {
        return late.isWaiting();
    }

    /** Whether there is something to send, sent or not, that the other side may not have. Any thread. */
    public boolean isSending() {
        return !out.isEmpty() || late.count() > 0;
    }

    /** How many messages the other side may not have. */
    public long unacknowledged() {
        return out.unacknowledged() + late.count();
    }

    public long id() {
        return id;
    }

    public boolean isEstablished() {
        return isEstablished;
    }

    /**
     * Whether the other side is known to have it. One that is not sure is as good as new: it can begin under any id,
     * also with another incarnation, and nothing is lost.
     */
    public boolean isSure() {
        return isSure;
    }

    /** Whether nothing is on its way, has begun, waits or is being handled, as far as this side knows. */
    public boolean isAtRest() {
        return isSure && consumed.get() == in.position() && in.partBytes() == 0 && !fragments.hasBegun()
            && begunMessages.get() == 0 && begunAnswers.get() == 0 && !hasLate() && out.isEmpty();
    }

    /** Whether it is one with this incarnation of the other node. */
    public boolean isWith(long incarnation) {
        return isEstablished && peerIncarnation == incarnation;
    }

    /** Whether the other node has started anew since. */
    public boolean isOlderThan(long incarnation) {
        return isEstablished && peerIncarnation < incarnation;
    }

    /** Whether nothing has come or arrived, so that both streams can begin as if it were new. */
    public boolean isUntouched() {
        return in.position() == 0 && out.acked() == 0;
    }

    /**
     * What a greeting says of this side. Where a dialer offers to begin one anew that is sure, that counts for the next
     * session only, if it comes to that.
     */
    public Greeting.Proof proof(boolean isWelcome, boolean isResumed) {
        final long received = isResumed ? in.position() : 0;
        final long limit = isResumed ? limit() : window;
        if (isResumed || isWelcome || !isSure) {
            toldReceived = received;
            toldLimit = limit;
            allowMessages();
        }
        return new Greeting.Proof(isWelcome, new byte[Greeting.MAC_BYTES], id, received, limit, isResumed);
    }

    /** Takes the id that the other side has chosen. */
    public void setId(long chosen) {
        id = chosen;
    }

    /** A new link begins, and the other side has the session; false if the streams cannot go on from its numbers. */
    public boolean begin(long incarnation, Greeting.Proof other) {
        if (!out.acknowledge(other.received())) {
            return false;
        }
        restart(incarnation);
        isSure = true;
        waitingLimit = NONE;
        allow(other.limit());
        return true;
    }

    /**
     * A new link begins, and the session; the other side was told so and may not have read it. Nothing is sent before
     * it has said something.
     *
     * @param limit how far it takes what is sent from then on
     */
    public void propose(long incarnation, long limit) {
        restart(incarnation);
        peerLimit = 0;
        waitingLimit = limit;
    }

    private void restart(long incarnation) {
        peerIncarnation = incarnation;
        isEstablished = true;
        out.rewind();
        in.restart();
    }

    /** The other side has said something over the link: it has the session. */
    public void heard() {
        if (waitingLimit != NONE) {
            isSure = true;
            allow(waitingLimit);
            waitingLimit = NONE;
        }
    }

    /** The other side was told numbers of another session. */
    public void untell() {
        toldLimit = 0;
    }

    // ---- credits ----

    public long peerLimit() {
        return peerLimit;
    }

    /** Whether the other side has said that before. */
    public boolean isKnownProgress(long received, long limit) {
        return limit == peerLimit && received == out.acked();
    }

    /** What the other side says of the streams; false if it goes back. */
    public boolean progress(long received, long limit) {
        if (limit < peerLimit) {
            return false;
        }
        allow(limit);
        return out.acknowledge(received);
    }

    /** Messages leave room for an answer of any length, or both sides could wait for each other's answers. */
    private void allow(long limit) {
        peerLimit = limit;
        out.allow(limit - Frame.BYTES_MAX);
    }

    /**
     * How far the other side may send; does not go back. There is always room for one more frame: it can only be an
     * answer's, as other messages leave so much.
     */
    public long limit() {
        return Math.max(Math.max(consumed.get() + window, toldLimit), in.position() + Frame.BYTES_MAX);
    }

    /** Whether more has come than was allowed. */
    public boolean isBeyond() {
        return in.position() + in.partBytes() > Math.max(toldLimit, window);
    }

    /**
     * Whether more has come than messages may. What was put before this window was known may be too much, as much as
     * all rings have.
     */
    public boolean isBeyondMessages() {
        return in.position() > messageLimit + SendStream.UNACKNOWLEDGED_BYTES_MAX;
    }

    /** Whether handlers are so late that hardly more than a frame may come that is no answer's. */
    @Override
    public boolean isBehind() {
        final long all = window - Frame.BYTES_MAX;
        return in.position() - consumed.get() > all - Math.max(all / LEFT_PART, Frame.BYTES_MAX);
    }

    /** Whether there is something to tell, and it is time to. */
    public boolean isProgressDue(long nowNs, NetworkConfig config) {
        final long more = limit() - toldLimit;
        final long received = in.position() - toldReceived;
        return more >= window / 2 || received >= config.acknowledgeBytes()
            || (more > 0 || received > 0) && nowNs - toldNs >= config.acknowledgeNs();
    }

    /** What the other side was told last. */
    public long toldReceived() {
        return toldReceived;
    }

    /** The same of the limit. */
    public long toldLimit() {
        return toldLimit;
    }

    /** Whether something has come since the last call. */
    public boolean hasReceived() {
        final long before = seenReceived;
        seenReceived = in.position();
        return seenReceived != before;
    }

    /** Whether there is something to tell. */
    public boolean hasProgress() {
        return limit() > toldLimit || in.position() > toldReceived;
    }

    /** It is told now. */
    public void told(long received, long limit, long nowNs) {
        toldReceived = received;
        toldLimit = limit;
        toldNs = nowNs;
        allowMessages();
    }

    private void allowMessages() {
        messageLimit = Math.max(messageLimit, consumed.get() + window);
    }

    // ---- checking ----

    /**
     * Adds what it keeps of what has come. The tasks that an executor has got are not among it, so where there are some
     * of single messages it is less than {@link #heldBytes}.
     */
    public void addTo(RetainedBytes held) {
        fragments.addTo(held);
        lanes.addTo(held);
        late.addTo(held);
    }

    /** How much of what has come is not handled. */
    public long heldBytes() {
        return in.position() - consumed.get();
    }

    /** Recomputes what must hold, of its structures too; by the agent, while nobody puts, reads or handles. */
    public void audit() {
        out.audit();
        in.audit();
        fragments.audit();
        final long position = in.position();
        final long handled = consumed.get();
        if (handled < 0 || handled > position || toldReceived > position || messageLimit > position + window
            || toldLimit > position + window) {
            throw new IllegalStateException("session: position " + position + " handled " + handled + " told "
                + toldReceived + " and " + toldLimit + " messages to " + messageLimit + " window " + window);
        }
        late.audit(begunMessages.get(), begunAnswers.get());
    }
}
