package io.teff.cluster.net.stream;

import io.teff.cluster.net.message.Caller;
import io.teff.cluster.net.message.DeniedException;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.thread.UserCode;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message on the way to its handler: the origin, and the bytes of the message in a pooled array. Belongs to one
 * thread at a time.
 */
public final class Delivery implements Runnable, DeferredRequest {
    private static final int OWN_BYTES_MIN = 64;
    /**
     * Longest messages kept in the delivery's own array. The array is short because there may be many deliveries;
     * longer messages use an array of the pool.
     */
    private static final int OWN_BYTES_MAX = 1 << 10;
    private static final byte[] NONE = new byte[0];
    private static final String TOO_MANY_OPEN = "more than " + OpenRequests.COUNT_MAX
        + " requests of this node wait for their answers";

    private final DeliveryHost host;
    private final Input input = new Input(NONE, 0, 0);
    /** The delivery's own array, kept for the next message. */
    private byte[] own = NONE;
    /** An array of the pool, or empty. */
    private byte[] borrowed = NONE;
    /** The bytes of the message: either of the two arrays. */
    private byte[] bytes = NONE;
    /** The memory of the link while the bytes are read at the place of arrival; else null. */
    private @Nullable MemorySegment place;
    private long placeAt;
    private int length;
    private @Nullable MessageOrigin origin;
    private @Nullable HandlerEntry entry;
    private @Nullable DeniedException denied;
    private int type;
    private int lane;
    private int flags;
    private long correlation;
    private long taken;
    private @Nullable IncomingMessage whole;
    /** The handle of a request to be answered later. */
    private @Nullable OpenRequest open;
    /** Whether the handle is in the table of the session. */
    private boolean isOpenKept;

    public Delivery(DeliveryHost host) {
        this.host = host;
    }

    public void set(MessageOrigin source, int ofType, int ofLane, int withFlags, long withCorrelation, int takenBytes) {
        origin = source;
        type = ofType;
        lane = ofLane;
        flags = withFlags;
        correlation = withCorrelation;
        taken = takenBytes;
        length = 0;
        whole = null;
        open = null;
        isOpenKept = false;
        denied = null;
    }

    AnswerReports reports() {
        return host;
    }

    // ---- properties of the message ----

    public MessageOrigin origin() {
        return Objects.requireNonNull(origin);
    }

    public int from() {
        return origin().nid();
    }

    int type() {
        return type;
    }

    int lane() {
        return lane;
    }

    int flags() {
        return flags;
    }

    long correlation() {
        return correlation;
    }

    boolean isResponse() {
        return (flags & Frame.RESPONSE) != 0;
    }

    boolean isFailed() {
        return (flags & Frame.FAILED) != 0;
    }

    public boolean isRequest() {
        return (flags & Frame.REQUEST) != 0;
    }

    @Nullable HandlerEntry entry() {
        return entry;
    }

    void setEntry(@Nullable HandlerEntry handlerEntry) {
        entry = handlerEntry;
    }

    // ---- its bytes ----

    /** Copies the bytes of the message. */
    public void copyIn(MemorySegment memory, long from, int count) {
        if (count > OWN_BYTES_MAX) {
            borrowed = host.arrays().take(count);
            bytes = borrowed;
        } else {
            if (own.length < count) {
                own = new byte[Math.max(OWN_BYTES_MIN, count)];
            }
            bytes = own;
        }
        Frame.copyOut(memory, from, bytes, 0, count);
        length = count;
    }

    /** Lets the bytes of the message be read at the place of arrival, until the agent has handled the message. */
    void readInPlace(MemorySegment memory, long from, int count) {
        place = memory;
        placeAt = from;
        length = count;
    }

    /** Copies bytes meant to be read at the place of arrival, because the message is handled later. */
    private void settle() {
        final MemorySegment memory = place;
        if (memory != null) {
            place = null;
            copyIn(memory, placeAt, length);
        }
    }

    /** Marks this delivery as the last fragment of a message. */
    void setWhole(IncomingMessage message) {
        whole = message;
        if (message.isCollected()) {
            borrowed = message.takeCollected();
            bytes = borrowed;
            length = message.length();
        }
    }

    /** Returns whether a handler or a request waited for the message when the message began. */
    boolean isWanted() {
        return whole == null || whole.isWanted();
    }

    /** Returns the bytes of the stream that count as handled with this message; the delivery keeps no credit. */
    long takeCredit() {
        final long credit = taken;
        taken = 0;
        return credit;
    }

    /**
     * Called when all fragments of the message have arrived: the bytes of the fragments, until now counted as handled,
     * count as not handled until the message is handled.
     */
    void hold() {
        final long more = Math.max(length - taken, 0);
        origin().consumed(-more);
        taken += more;
    }

    /**
     * Reads the whole message.
     *
     * @throws MalformedException if the bytes are not a message of this type; or any exception of the codec
     */
    @SuppressWarnings("unchecked")
    public <T> T read(MessageType<T> of) {
        final IncomingMessage its = whole;
        if (its != null && !its.isCollected()) {
            return (T) its.readToEnd();                         // by the partial reader of the codec
        }
        if (length > of.bytesMax()) {
            throw IncomingMessage.tooLong(of.bytesMax());
        }
        input.reset(bytes, 0, length);
        final T message = of.codec().read(input);
        if (input.left() > 0) {
            throw input.malformed("a message that its codec leaves " + input.left() + " of " + length + " bytes of");
        }
        return message;
    }

    // ---- its bytes without a codec ----

    /**
     * Checks that all bytes of the message have arrived, before the bytes are read without a codec.
     *
     * @param bytesMax longest message of the type
     * @throws MalformedException if the message is longer; or the reason why the fragments were not collected
     */
    public void checkRaw(int bytesMax) {
        final IncomingMessage its = whole;
        if (its != null && !its.isCollected()) {
            its.readToEnd();                                    // throws
        }
        if (length > bytesMax) {
            throw IncomingMessage.tooLong(bytesMax);
        }
    }

    /** {@return the memory of the bytes, and of others around them} */
    public MemorySegment memory() {
        final MemorySegment memory = place;
        return memory != null ? memory : MemorySegment.ofArray(bytes);
    }

    /** {@return offset of the first byte in the memory} */
    public long offset() {
        return place != null ? placeAt : 0;
    }

    /** {@return number of bytes} */
    public int length() {
        return length;
    }

    // ---- handling ----

    @Override
    public void run() {
        // an executor may run a task that the executor has rejected: then no origin is left
        if (origin != null && !isHeld()) {
            handle();
        }
    }

    private boolean isHeld() {
        final boolean isHeld = isRequest() && origin().hold(this);
        if (isHeld) {
            // only the agent reads bytes in place, and the agent resumes the delivery
            settle();
        }
        return isHeld;
    }

    /**
     * Makes the handle of a request with a later answer, before other threads have the message; returns false if too
     * many are open.
     */
    boolean openEarly(HandlerEntry.Opener opener) {
        final OpenRequest made = opener.open(this);
        open = made;
        isOpenKept = true;
        return origin().openRequests().add(made);
    }

    /** Fails the request, because too many requests wait for their answers. */
    void refuseOpen() {
        host.failed(from(), type, new IllegalStateException(TOO_MANY_OPEN));
        if (open != null) {
            open.fail(TOO_MANY_OPEN);
        }
        drop();
        end();
    }

    /** {@return the handle of the message, for a handler that answers later} */
    public OpenRequest opened() {
        OpenRequest its = open;
        if (its == null) {
            its = Objects.requireNonNull(Objects.requireNonNull(entry).opener()).open(this);
            open = its;
            its.begin();
        }
        return its;
    }

    /** Keeps the handle of a short handler after its return, unless the request is answered. */
    private void keepOpen() {
        final OpenRequest its = open;
        if (its != null && !isOpenKept && its.isOpen() && !origin().openRequests().add(its)) {
            its.fail(TOO_MANY_OPEN);
        }
    }

    /** Adds the bytes of the incoming stream kept by this delivery. */
    @Override
    public void addTo(RetainedBytes held) {
        held.creditBytes += taken;
        held.arrayBytes += borrowed.length;
        if (whole != null) {
            held.collectedBytes += whole.isCollected() ? length : 0;
            whole.addTo(held);
        }
    }

    /** Goes on after answers have left; by the agent. */
    @Override
    public void resume() {
        host.handle(this);
    }

    private void handle() {
        final HandlerEntry handlerEntry = entry;
        try {
            if (denied != null) {
                respondFailed(Reason.DENIED, denied.text());
                drop();
            } else if (isRequest() && isWithdrawn()) {
                host.withdrawn();
                drop();
            } else if (handlerEntry == null) {
                host.unhandled(this);
                respondFailed(Reason.NO_HANDLER, "there is no handler for type " + type);
            } else {
                handle(handlerEntry.action());
                host.handled();
                keepOpen();
            }
        } catch (Throwable e) {                                 // of a codec or a handler of the application
            UserCode.run(() -> fail(e));                         // there may be no memory left for the report
        } finally {
            end();
        }
    }

    private void handle(HandlerEntry.Action action) throws Exception {
        final Caller caller = origin().caller();
        if (caller == null) {
            action.handle(this);
        } else {
            caller.run(() -> action.handle(this));
        }
    }

    /** Ends the message without a handler, as its sender lacks the right; by the agent. */
    void deny(DeniedException why) {
        denied = why;
        run();
    }

    /** Returns whether the caller has given the request up; if not, the handler of the request begins. */
    private boolean isWithdrawn() {
        final OpenRequest its = open;
        return its != null ? !its.begin() : origin().withdrawals().has(correlation);
    }

    /** Discards the arrived and unread bytes of the message. */
    private void drop() {
        if (whole != null) {
            whole.discard();
        }
    }

    /**
     * Ends the message unhandled, because the application's executor rejects tasks. Some executors keep a rejected
     * task, so this object is not used again.
     */
    void refused(Throwable e) {
        final Delivery delivery = moved();
        if (!delivery.isHeld()) {
            delivery.fail(e);
            delivery.end();
        }
    }

    /** Moves the message to a new object; the old object keeps nothing. */
    private Delivery moved() {
        final Delivery to = new Delivery(host);
        to.set(origin(), type, lane, flags, correlation, 0);
        to.taken = takeCredit();
        to.length = length;
        to.own = own;
        to.borrowed = borrowed;
        to.bytes = bytes;
        to.entry = entry;
        to.whole = whole;
        to.open = open;
        to.isOpenKept = isOpenKept;
        own = NONE;
        forget();
        return to;
    }

    private void fail(Throwable e) {
        final Reason reason = e instanceof DeniedException ? Reason.DENIED : Reason.FAILED;
        final String text = e instanceof DeniedException its ? its.text() : UserCode.text(e);
        if (reason == Reason.FAILED) {
            host.failed(from(), type, e);
        }
        final OpenRequest its = open;
        if (its != null) {
            its.fail(reason, text);
        } else {
            respondFailed(reason, text);
        }
    }

    /** Answers the request. */
    public void respond(MessageBuffer answer) {
        respond(answer.message(type, lane, Frame.RESPONSE, correlation));
    }

    /**
     * Puts an answer; without room the answer waits, and keeps the credit of the request. If answers wait already, the
     * new answer queues up behind them: if long answers could begin before waiting answers, the waiting answers might
     * never begin.
     */
    private void respond(OutgoingMessage message) {
        final int result = origin().hasLateAnswers() ? SendStream.FULL : origin().put(message);
        if (result == SendStream.OK) {
            origin().signal();
        } else if (result == SendStream.FULL) {
            origin().putLater(message, taken);
            taken = 0;
        }
    }

    private void respondFailed(Reason reason, String what) {
        if (isRequest()) {
            respond(FailureMessage.of(type, lane, correlation, reason, what));
        }
    }

    /** Returns the kind of failure with which the other side has answered a request. */
    Reason failure() {
        return FailureMessage.reason(bytes, length);
    }

    /** Returns the text of the failure. */
    String failureText() {
        return FailureMessage.text(bytes, length);
    }

    /** Ends the message: the message is handled, and the credit of the message returns to the peer. */
    public void end() {
        host.arrays().giveBack(borrowed);
        forget();
        host.giveBack(this);
    }

    private void forget() {
        origin().consumed(taken);
        origin = null;
        entry = null;
        denied = null;
        whole = null;
        open = null;
        place = null;
        bytes = NONE;
        borrowed = NONE;
        input.reset(NONE, 0, 0);                                // or the array would not be collected
    }
}
