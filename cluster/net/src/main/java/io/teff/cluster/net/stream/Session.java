package io.teff.cluster.net.stream;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.Caller;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Greeting;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A stream of frames in each direction between lives of two nodes. A session outlives its links. Threads put
 * frames into {@link #out} and count {@link #consumed} bytes; the rest is the agent's.
 */
public final class Session implements MessageTarget, MessageOrigin {
    /** Handlers are late when less than this part of the window is left. */
    private static final int LEFT_PART = 4;
    /** No limit waits. */
    private static final long NONE = -1;
    private static final byte[] NO_BYTES = new byte[0];

    private final RemoteNode peer;
    public final SendStream out;
    public final FrameInput in;
    /** Bytes of the incoming stream already handled. */
    private final AtomicLong consumed = new AtomicLong();
    private final FragmentTable fragments = new FragmentTable();
    /** Messages begun to leave in fragments and not yet ended. */
    private final AtomicInteger begunMessages = new AtomicInteger();
    private final AtomicInteger begunAnswers = new AtomicInteger();
    private final Lanes lanes = new Lanes();
    private final Withdrawals withdrawals = new Withdrawals();
    private final OpenRequests openRequests = new OpenRequests();
    private final Backlog late;
    private final long window;
    /** Chosen by the dialer of the first link. */
    private long id;
    private long peerIncarnation;
    private volatile boolean isEstablished;
    private volatile @Nullable Caller caller;
    /** Whether the peer is known to have the session; until then nothing of the session was sent or received. */
    private boolean isSure;
    /** The position to which the peer takes frames. */
    private long peerLimit;
    /**
     * The peer's limit. The limit counts once the peer has sent something, because then the peer is sure; or
     * {@link #NONE}.
     */
    private long waitingLimit = NONE;
    private long toldReceived;
    /** Other threads may read an old value. */
    private volatile long toldLimit;
    private long toldNs;
    private long seenReceived;
    /** The last position announced to the peer for messages other than answers. */
    private long messageLimit;

    public Session(RemoteNode peer, long id, SendStream out, FrameInput in, long window) {
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

    @Override
    public @Nullable Caller caller() {
        return caller;
    }

    /** Sets what the other side may do, as its greeting has proven; before any message arrives. */
    public void setCaller(@Nullable Caller proven) {
        caller = proven;
    }

    /** {@return whether a principal may continue the session: nothing has begun, or the session is its own} */
    public boolean isOf(@Nullable Caller proven) {
        final Caller own = caller;
        return !isEstablished || (own == null ? proven == null : proven != null && own.isSame(proven));
    }

    /** {@return the other node} */
    public RemoteNode peer() {
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

    /** {@return messages of which some fragments have arrived} */
    public FragmentTable fragments() {
        return fragments;
    }

    Lanes lanes() {
        return lanes;
    }

    /** Returns the requests given up by the peer. */
    @Override
    public Withdrawals withdrawals() {
        return withdrawals;
    }

    /** {@return the requests of the peer that handlers answer later} */
    @Override
    public OpenRequests openRequests() {
        return openRequests;
    }

    /** Gives back memory, as nothing has arrived for a while; by the agent. */
    public void rest() {
        out.rest();
        in.rest();
        if (consumed.get() == in.position()) {
            withdrawals.clear();
        }
    }

    /** Counts bytes of the incoming stream as handled, or, if negative, as not handled after all. Any thread. */
    @Override
    public void consumed(long bytes) {
        if (isMuch(consumed.addAndGet(bytes))) {
            peer.signalHandled();
        }
    }

    /** {@return whether half a window is handled, so that the limit is announced at once; any thread} */
    public boolean isLimitDue() {
        return isMuch(consumed.get());
    }

    private boolean isMuch(long handled) {
        return handled + window - toldLimit >= window / 2;
    }

    /**
     * Puts as much of a message as there is room for. An exception of the codec ends the message, also after its
     * beginning. Any thread.
     */
    @Override
    public int put(OutgoingMessage message) {
        try {
            return message.put(this);
        } catch (Throwable e) {                                 // any exception of a codec, or the message is too large
            drop(message);
            throw e;
        }
    }

    /**
     * Keeps the rest of a message. The bytes of the rest are encoded now, because the sender returns. Any thread.
     *
     * @param taken bytes of a request that count as handled when the rest is put
     */
    @Override
    public void putLater(OutgoingMessage message, long taken) {
        final OutgoingMessage rest;
        try {
            rest = message.rest();
        } catch (Throwable e) {                                 // as above
            drop(message);
            throw e;
        }
        add(rest, taken);
    }

    /**
     * Keeps the rest of a message other than an answer. Returns false if the limit is reached: then the message is cut
     * off, and the peer discards the received part of the message. Any thread.
     */
    boolean putLater(OutgoingMessage message) {
        if (late.isFullOfMessages()) {
            drop(message);
            return false;
        }
        putLater(message, 0);
        return true;
    }

    /** Counts a message beginning to leave in fragments; returns false if too many have begun. Any thread. */
    @Override
    public boolean beginFragments(boolean isAnswer) {
        final AtomicInteger begun = isAnswer ? begunAnswers : begunMessages;
        if (begun.incrementAndGet() <= FragmentTable.COUNT_MAX) {
            return true;
        }
        begun.decrementAndGet();
        return false;
    }

    /** Counts the end of a message in fragments, or a counted message that did not begin after all. Any thread. */
    @Override
    public void endFragments(boolean isAnswer) {
        (isAnswer ? begunAnswers : begunMessages).decrementAndGet();
    }

    /**
     * Informs the peer that the caller has given up a request, so that the peer need not handle or answer the request.
     * The frame may use the room of answers: requests waiting for their handlers must not keep out the frame that ends
     * their wait. Without room in the ring the frame waits for room. Any thread.
     *
     * @param isBehindRest whether the end of the request itself may wait for room, so that the frame must follow it
     */
    void withdraw(int type, long correlation, boolean isBehindRest) {
        if (isBehindRest && late.hasMessages()) {
            add(OutgoingMessage.of(type, 0, Frame.REQUEST | Frame.SKIPPED, correlation, NO_BYTES, 0, 0), 0);
            return;
        }
        final int result = late.hasWithdrawals() ? SendStream.FULL : putWithdrawn(type, correlation);
        if (result == SendStream.FULL) {
            late.withdraw(type, correlation);
        }
        if (result != SendStream.ENDED) {
            peer.signal();
        }
    }

    @Override
    public int putWithdrawn(int type, long correlation) {
        int result = out.put(type, 0, Frame.WITHDRAWN, correlation, NO_BYTES, 0, 0);
        while (result == SendStream.FULL && out.grow(Frame.LONG_HEAD_BYTES, true)) {
            result = out.put(type, 0, Frame.WITHDRAWN, correlation, NO_BYTES, 0, 0);
        }
        return result;
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

    /** Defers a request if too many answers wait; returns false if the request is to be handled now. Any thread. */
    @Override
    public boolean hold(DeferredRequest request) {
        if (!late.isFull()) {
            return false;
        }
        late.hold(request);
        peer.signal();                                    // the last answer may have left meanwhile
        return true;
    }

    /** Puts waiting answers and messages, as far as there is room; by the agent. */
    public void putLate() {
        late.putAll(this);
    }

    /** {@return whether something waits for room} */
    public boolean hasLate() {
        return !late.isEmpty();
    }

    /** Returns whether answers wait for room, so that further answers queue up behind them. Any thread. */
    @Override
    public boolean hasLateAnswers() {
        return late.hasAnswers() && !out.isEnded();
    }

    /** Returns whether rests of messages wait for room. */
    boolean hasLateMessages() {
        return late.hasMessages();
    }

    /** {@return whether the frames that wait for room need another event to continue} */
    public boolean isLateWaiting() {
        return late.isWaiting();
    }

    /** {@return whether there are frames, sent or not, that the peer may not have; any thread} */
    public boolean isSending() {
        return !out.isEmpty() || late.hasAny();
    }

    /**
     * Counts the messages possibly missing at the peer; by the agent.
     *
     * @param isEnded whether a request, named by its correlation, has ended; such requests do not count
     * @return number of messages
     */
    public long unacknowledged(LongPredicate isEnded) {
        return out.unacknowledged(isEnded) + late.count(isEnded);
    }

    public long id() {
        return id;
    }

    public boolean isEstablished() {
        return isEstablished;
    }

    /**
     * {@return whether the peer is known to have the session} An unconfirmed session is equivalent to a new session: an
     * unconfirmed session can begin under any id, also with another life of the peer, and nothing is lost.
     */
    public boolean isSure() {
        return isSure;
    }

    /** {@return whether nothing is on its way, has begun, waits or is being handled, as far as this side knows} */
    public boolean isAtRest() {
        return isSure && consumed.get() == in.position() && in.partBytes() == 0 && !fragments.hasBegun()
            && begunMessages.get() == 0 && begunAnswers.get() == 0 && !hasLate() && out.isEmpty();
    }

    /** {@return whether the session is with the life of the peer that has this number} */
    public boolean isWith(long incarnation) {
        return isEstablished && peerIncarnation == incarnation;
    }

    /** {@return whether the peer has restarted since the session began} */
    public boolean isOlderThan(long incarnation) {
        return isEstablished && peerIncarnation < incarnation;
    }

    /**
     * {@return whether nothing was received by either side, so that both streams can begin as if the session were new}
     */
    public boolean isUntouched() {
        return in.position() == 0 && out.acked() == 0;
    }

    /**
     * {@return this side of the session for a greeting} If a dialer offers to restart a confirmed session, the numbers
     * are valid only for the next session, if there is one.
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

    /** Takes the id chosen by the peer. */
    public void setId(long chosen) {
        id = chosen;
    }

    /**
     * Begins on a new link with a peer that has the session; returns false if the streams cannot continue from the
     * peer's positions.
     */
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
     * Begins on a new link; the peer was sent the session and may not have read the id. Nothing is sent before the peer
     * has sent something.
     *
     * @param incarnation of the peer
     * @param limit the position to which the peer takes frames from then on
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

    /** Called when the peer has sent something over the link, and so has the session. */
    public void heard() {
        if (waitingLimit != NONE) {
            isSure = true;
            allow(waitingLimit);
            waitingLimit = NONE;
        }
    }

    /** Forgets the announced limit, because the peer has received the numbers of another session. */
    public void untell() {
        toldLimit = 0;
    }

    // ---- credits ----

    public long peerLimit() {
        return peerLimit;
    }

    /** {@return whether the peer has sent the same numbers before} */
    public boolean isKnownProgress(long received, long limit) {
        return limit == peerLimit && received == out.acked();
    }

    /** Takes the peer's positions; returns false if a position is lower than before. */
    public boolean progress(long received, long limit) {
        if (limit < peerLimit) {
            return false;
        }
        allow(limit);
        return out.acknowledge(received);
    }

    /**
     * Sets the peer's limit. Messages leave room for an answer of any length, or both sides could wait for answers of
     * the other side.
     */
    private void allow(long limit) {
        peerLimit = limit;
        out.allow(limit - Frame.BYTES_MAX);
    }

    /**
     * {@return the position to which the peer may send; never decreases} There is always room for one more frame: only
     * an answer can use this room, because messages leave the room free.
     */
    public long limit() {
        return Math.max(Math.max(consumed.get() + window, toldLimit), in.position() + Frame.BYTES_MAX);
    }

    /** {@return whether the peer has sent more than it was allowed to} */
    public boolean isBeyond() {
        return in.position() + in.partBytes() > Math.max(toldLimit, window);
    }

    /**
     * {@return whether the peer has sent more messages than allowed} Frames put before this window was known may exceed
     * the window by the capacity of all rings.
     */
    public boolean isBeyondMessages() {
        return in.position() > messageLimit + SendStream.UNACKNOWLEDGED_BYTES_MAX;
    }

    /** Returns whether handlers are so late that the peer may send hardly more than one frame besides answers. */
    @Override
    public boolean isBehind() {
        final long all = window - Frame.BYTES_MAX;
        return in.position() - consumed.get() > all - Math.max(all / LEFT_PART, Frame.BYTES_MAX);
    }

    /** {@return whether there is progress to report, and it is time to} */
    public boolean isProgressDue(long nowNs, NetworkConfig config) {
        final long more = limit() - toldLimit;
        final long received = in.position() - toldReceived;
        return more >= window / 2 || received >= config.acknowledgeBytes()
            || (more > 0 || received > 0) && nowNs - toldNs >= config.acknowledgeNs();
    }

    /** {@return the received position that was announced to the peer last} */
    public long toldReceived() {
        return toldReceived;
    }

    /** {@return the limit that was announced to the peer last} */
    public long toldLimit() {
        return toldLimit;
    }

    /** {@return whether something has arrived since the last call} */
    public boolean hasReceived() {
        final long before = seenReceived;
        seenReceived = in.position();
        return seenReceived != before;
    }

    /** {@return whether there is progress to report} */
    public boolean hasProgress() {
        return limit() > toldLimit || in.position() > toldReceived;
    }

    /** Records that these numbers are announced to the peer now. */
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
     * Adds the bytes of the incoming stream held by the session. Tasks of an executor are not included, so with tasks
     * of single messages the sum is less than {@link #heldBytes}.
     */
    public void addTo(RetainedBytes held) {
        fragments.addTo(held);
        lanes.addTo(held);
        late.addTo(held);
    }

    /** {@return bytes of the incoming stream that are not handled} */
    public long heldBytes() {
        return in.position() - consumed.get();
    }

    /**
     * Recomputes the invariants of the session and its structures; by the agent, while no thread puts, reads or
     * handles.
     */
    public void audit() {
        out.audit();
        in.audit();
        fragments.audit();
        openRequests.audit();
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
