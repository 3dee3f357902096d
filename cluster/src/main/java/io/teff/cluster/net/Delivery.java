package io.teff.cluster.net;

import io.teff.cluster.net.NetworkException.Reason;
import io.teff.cluster.net.ring.Outgoing;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to its handler: where it is from, and its bytes in an array that is used again. Belongs to one
 * thread after the other.
 */
final class Delivery implements Runnable {
    private static final int BYTES_MIN = 64;
    /** Longer arrays are not kept. */
    private static final int BYTES_KEPT_MAX = 16 << 10;
    /** Longest text of a failure that is sent. */
    private static final int TEXT_BYTES_MAX = 1 << 10;
    private static final int NO_HANDLER_CODE = 1;
    private static final int FAILED_CODE = 2;
    private static final byte[] NONE = new byte[0];

    private final Dispatcher dispatcher;
    private final Input input = new Input(NONE, 0, 0);
    private byte[] bytes = NONE;
    private int length;
    private @Nullable Session session;
    private Dispatcher.@Nullable Entry entry;
    private int type;
    private int lane;
    private int flags;
    private long correlation;
    private long taken;
    private @Nullable Incoming whole;

    Delivery(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    void set(Session its, int ofType, int ofLane, int withFlags, long withCorrelation, int takenBytes) {
        session = its;
        type = ofType;
        lane = ofLane;
        flags = withFlags;
        correlation = withCorrelation;
        taken = takenBytes;
        length = 0;
        whole = null;
    }

    // ---- what it says ----

    Session session() {
        return Objects.requireNonNull(session);
    }

    int from() {
        return session().connection.nid;
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

    boolean isRequest() {
        return (flags & Frame.REQUEST) != 0;
    }

    Dispatcher.@Nullable Entry entry() {
        return entry;
    }

    void setEntry(Dispatcher.@Nullable Entry its) {
        entry = its;
    }

    // ---- its bytes ----

    /** Takes its bytes. */
    void copyIn(MemorySegment memory, long from, int count) {
        if (bytes.length < count) {
            bytes = new byte[Math.max(BYTES_MIN, count)];
        }
        Frame.copyOut(memory, from, bytes, 0, count);
        length = count;
    }

    /** It is the end of a message that came in parts. */
    void setWhole(Incoming message) {
        whole = message;
        if (message.isCollected()) {
            bytes = message.collected();
            length = message.length();
        }
    }

    /** Whether somebody wanted it when it began. */
    boolean isWanted() {
        return whole == null || whole.isWanted();
    }

    /** What of the stream is handled with it; from now on nothing. */
    long takeCredit() {
        final long credit = taken;
        taken = 0;
        return credit;
    }

    /** All of its parts have come: until it is handled, what they have was not handled after all. */
    void hold() {
        final long more = Math.max(length - taken, 0);
        session().consumed(-more);
        taken += more;
    }

    /** Reads the message. */
    @SuppressWarnings("unchecked")
    <T> T read(Codec<T> codec) {
        final Incoming its = whole;
        if (its != null && !its.isCollected()) {
            return (T) its.readToEnd();                         // by a reader of this codec
        }
        input.reset(bytes, 0, length);
        return codec.read(input);
    }

    // ---- handling ----

    @Override
    public void run() {
        if (session != null && !isHeld()) {                     // else it was refused, and yet kept
            handle();
        }
    }

    private boolean isHeld() {
        return isRequest() && session().hold(this);
    }

    /** It has waited for answers to leave; by the agent. */
    void goOn() {
        dispatcher.handle(this);
    }

    private void handle() {
        final Dispatcher.Entry its = entry;
        try {
            if (its == null) {
                dispatcher.unhandled(this);
                respondFailed(Reason.NO_HANDLER, "there is no handler for type " + type);
            } else {
                its.work().handle(this);
                dispatcher.handled();
            }
        } catch (Throwable e) {                                 // of a codec or a handler: theirs, not ours
            fail(e);
        } finally {
            end();
        }
    }

    /**
     * It is not handled, as the application's executor takes no more tasks. Some of them keep what they refuse, so this
     * object is not used again.
     */
    void refused(Throwable e) {
        if (!isHeld()) {
            fail(e);
            forget();
        }
    }

    private void fail(Throwable e) {
        dispatcher.failed(this, e);
        respondFailed(Reason.FAILED, Guarded.text(e));
    }

    /** Answers a request. */
    void respond(Scratch answer) {
        respond(answer.message(type, lane, Frame.RESPONSE, correlation));
    }

    /** Puts an answer, or, where there is no room, lets it wait, and the credit of its request too. */
    private void respond(Message message) {
        final int result = session().put(message);
        if (result == Outgoing.OK) {
            session().connection.signal();
        } else if (result == Outgoing.FULL) {
            session().putLater(message, taken);
            taken = 0;
        }
    }

    private void respondFailed(Reason reason, String what) {
        if (isRequest()) {
            final byte[] text = what.getBytes(StandardCharsets.UTF_8);
            final byte[] payload = new byte[Short.BYTES + Math.min(text.length, TEXT_BYTES_MAX)];
            payload[0] = (byte) (reason == Reason.NO_HANDLER ? NO_HANDLER_CODE : FAILED_CODE);
            System.arraycopy(text, 0, payload, Short.BYTES, payload.length - Short.BYTES);
            respond(Message.of(type, lane, Frame.RESPONSE | Frame.FAILED, correlation, payload, 0, payload.length));
        }
    }

    /** Ends the request that it answers. */
    void answer(Request<?> request) {
        if (!isFailed()) {
            request.complete(this);
        } else if (length < Short.BYTES) {
            request.fail(Reason.FAILED, "it has not said why");
        } else {
            request.fail(bytes[0] == NO_HANDLER_CODE ? Reason.NO_HANDLER : Reason.FAILED,
                new String(bytes, Short.BYTES, length - Short.BYTES, StandardCharsets.UTF_8));
        }
    }

    /** It is handled: the other side may send as much again. */
    void end() {
        forget();
        dispatcher.giveBack(this);
    }

    private void forget() {
        session().consumed(taken);
        session = null;
        entry = null;
        whole = null;
        if (bytes.length > BYTES_KEPT_MAX) {
            bytes = NONE;
        }
    }
}
