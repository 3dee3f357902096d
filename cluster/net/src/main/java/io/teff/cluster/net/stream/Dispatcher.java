package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.Caller;
import io.teff.cluster.net.message.DeniedException;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings incoming messages to their handlers, each message once.
 *
 * <p>The payload is copied to a pooled array, and codecs read from the array, so the link's memory is free at once. A
 * message in fragments is read as the fragments arrive: see {@link IncomingMessage}. A short handler runs in place, on
 * the agent's thread. So do handlers registered to run there for short messages. All further handlers run on the
 * handlers' threads: messages of lane 0 in any order, messages of any other lane one after the other. Handled bytes
 * count as consumed, and consumed bytes are the peer's new credit.
 *
 * <p>{@link #take} is the agent's; the rest is thread-safe.
 */
public final class Dispatcher implements DeliveryHost {
    private static final int SPARE_DELIVERIES_MIN = 1 << 6;
    /** Number of small messages in a window. */
    private static final int SPARE_DELIVERIES_MAX = 1 << 14;

    /** Shared by all agents. */
    private final HandlerTable handlers;
    private volatile MpmcAtomicArrayQueue<Delivery> spare = new MpmcAtomicArrayQueue<>(SPARE_DELIVERIES_MIN);
    private final ArrayPool arrays = new ArrayPool();
    private final FragmentPool fragments = new FragmentPool(arrays);
    private final PendingRequests requests;
    private final Executor executor;
    private final NetworkListener listener;
    private final AgentCounters counts;

    public Dispatcher(PendingRequests requests, Executor executor, NetworkListener listener, AgentCounters counts) {
        this(new HandlerTable(), requests, executor, listener, counts);
    }

    private Dispatcher(HandlerTable handlers, PendingRequests requests, Executor executor, NetworkListener listener,
                       AgentCounters counts) {
        this.handlers = handlers;
        this.requests = requests;
        this.executor = executor;
        this.listener = listener;
        this.counts = counts;
    }

    /** {@return a dispatcher for another agent, with the same handlers} */
    public Dispatcher another(AgentCounters counters) {
        return new Dispatcher(handlers, requests, executor, listener, counters);
    }

    /** Registers the handler of a type, for all agents. */
    public void register(HandlerEntry entry) {
        handlers.add(entry);
    }

    // ---- by the agent ----

    /** Takes a frame of a session. */
    public void take(Session session, MemorySegment memory, long at) throws ProtocolException {
        final int length = Frame.length(memory, at);
        final int flags = Frame.flags(memory, at);
        final int head = Frame.headBytes(flags);
        final Delivery delivery = spare();
        delivery.set(session, Frame.type(memory, at), Frame.lane(memory, at), flags,
            head == Frame.LONG_HEAD_BYTES ? Frame.correlation(memory, at) : 0, Frame.taken(length));
        if ((flags & Frame.FRAGMENT) != 0) {
            takePart(session, delivery, memory, at + head, length - head);
        } else if ((flags & Frame.SKIPPED) != 0) {
            delivery.end();
        } else {
            final int bytes = length - head;
            final DeniedException denied = delivery.isResponse() ? null : denied(session, delivery, bytes);
            if (denied != null) {
                delivery.deny(denied);
                return;
            }
            final HandlerEntry entry = delivery.isResponse() ? null : handlers.of(delivery.type());
            final boolean isHere = entry != null && isForAgent(session, delivery, entry, bytes);
            if (entry == null ? isRawAnswer(session, delivery) : isHere && entry.isRaw()) {
                delivery.readInPlace(memory, at + head, bytes);
            } else {
                delivery.copyIn(memory, at + head, bytes);
            }
            dispatch(session, delivery, isHere);
        }
    }

    /** Returns why a message is not handled; null for messages of nodes. */
    private @Nullable DeniedException denied(Session session, Delivery delivery, int bytes) {
        final Caller caller = session.caller();
        return caller == null ? null : caller.admit(delivery.type(), bytes, session.openRequests().count());
    }

    /** Returns whether the agent itself handles a message of one frame. */
    private boolean isForAgent(Session session, Delivery delivery, HandlerEntry entry, int bytes) {
        return entry.isShort() || bytes <= entry.agentBytesMax()
            && (delivery.lane() == 0 || session.lanes().isIdle(delivery.lane(), executor(entry)));
    }

    /** Returns whether a message is an answer whose bytes are read by the agent without a codec. */
    private boolean isRawAnswer(Session session, Delivery delivery) {
        final Request<?> request = delivery.isResponse() && !delivery.isFailed()
            ? requests.peek(delivery.correlation(), session) : null;
        return request != null && request.isRaw();
    }

    /** Takes a fragment. The last fragment becomes the delivery of the message, with its own credit. */
    private void takePart(Session session, Delivery part, MemorySegment memory, long from, int bytes)
        throws ProtocolException {
        final FragmentTable begun = session.fragments();
        final boolean isLast = (part.flags() & Frame.LAST) != 0;
        final IncomingMessage known = begun.find(part);
        if (known != null && isLast) {
            begun.remove(part);
        }
        if ((part.flags() & Frame.SKIPPED) != 0) {
            if (known != null) {
                known.drop();
            } else if (part.isRequest()) {
                session.withdrawals().add(part.correlation());
                session.openRequests().withdraw(part.correlation());
            }
            part.end();
            return;
        }
        final IncomingMessage message = known == null ? incoming(session, part) : known;
        if (known == null && !isLast) {
            begun.add(part, message);
        }
        message.add(memory, from, bytes, isLast ? 0 : part.takeCredit());
        if (isLast) {
            part.setWhole(message);
            if (message.isCollected()) {
                part.hold();
            }
            final DeniedException denied = part.isResponse() ? null : denied(session, part, message.length());
            if (denied == null) {
                dispatch(session, part, false);
            } else {
                part.deny(denied);
            }
        } else {
            message.readOn();
            part.end();
        }
    }

    private IncomingMessage incoming(Session session, Delivery first) {
        if (first.isResponse()) {
            final Request<?> request = requests.peek(first.correlation(), session);
            return request == null ? unwanted(session, first) : incoming(session, first, request.answer, null);
        }
        final Caller caller = session.caller();
        final HandlerEntry entry = caller != null && !caller.mayUse(first.type()) ? null : handlers.of(first.type());
        return entry == null ? unwanted(session, first)
            : incoming(session, first, entry.type(), entry.isShort() ? null : executor(entry));
    }

    /** {@return a message in fragments that a handler or a request waits for} */
    public IncomingMessage incoming(Session session, Delivery first, MessageType<?> type,
                                     @Nullable Executor readers) {
        return IncomingMessage.of(fragments, session, first.type(), first.lane(), first.isFailed(), type,
            readers);
    }

    /** {@return a message in fragments without a handler or a request} */
    public IncomingMessage unwanted(Session session, Delivery first) {
        return IncomingMessage.unwanted(fragments, session, first.type(), first.lane(), first.isFailed());
    }

    private void dispatch(Session session, Delivery delivery, boolean isHere) {
        session.peer().counters().messagesReceived.add(1);
        if (delivery.isResponse()) {
            final Request<?> request = requests.take(delivery.correlation(), session);
            if (request != null) {
                answer(request, delivery);
            }
            delivery.end();
            return;
        }
        final HandlerEntry found = delivery.isWanted() ? handlers.of(delivery.type()) : null;
        final HandlerEntry entry = found != null && delivery.isRequest() && !found.isAnswering() ? null : found;
        delivery.setEntry(entry);
        if (entry == null || entry.isShort() || isHere) {
            delivery.run();
            return;
        }
        final HandlerEntry.Opener opener = entry.opener();
        if (opener != null && delivery.isRequest() && !delivery.openEarly(opener)) {
            delivery.refuseOpen();
        } else if (delivery.lane() == 0) {
            handle(delivery);
        } else {
            session.lanes().add(delivery, executor(entry));
        }
    }

    private Executor executor(HandlerEntry entry) {
        final Executor its = entry.executor();
        return its == null ? executor : its;
    }

    /** Ends a request with its answer. */
    private <R> void answer(Request<R> request, Delivery delivery) {
        if (delivery.isFailed()) {
            counts.requestsFailed.increment();
            request.fail(delivery.failure(), delivery.failureText());
            return;
        }
        counts.requestsAnswered.add(1);
        final R value;
        try {
            value = request.read(delivery);
        } catch (Throwable e) {                                 // of the codec: the agent continues
            request.failUnreadable(e);
            return;
        }
        request.complete(value);
    }

    /** Handles a message without order, at once or on another thread. */
    @Override
    public void handle(Delivery delivery) {
        final HandlerEntry entry = delivery.entry();
        if (entry == null || entry.isShort()) {
            delivery.run();
            return;
        }
        try {
            executor(entry).execute(delivery);
        } catch (Throwable e) {                                 // of the application's executor
            delivery.refused(e);
        }
    }

    // ---- deliveries ----

    private Delivery spare() {
        final Delivery used = spare.poll();
        return used != null ? used : new Delivery(this);
    }

    /** Takes back an ended delivery. */
    @Override
    public void giveBack(Delivery delivery) {
        if (!spare.offer(delivery) && spare.capacity() < SPARE_DELIVERIES_MAX) {
            keepMore();
        }
    }

    /** Lets the pool keep more deliveries. Deliveries given back meanwhile may be lost, without harm. */
    private synchronized void keepMore() {
        final MpmcAtomicArrayQueue<Delivery> full = spare;
        if (full.size() == full.capacity() && full.capacity() < SPARE_DELIVERIES_MAX) {
            final MpmcAtomicArrayQueue<Delivery> more = new MpmcAtomicArrayQueue<>(full.capacity() * 4);
            full.drain(more::offer);
            spare = more;
        }
    }

    /** Returns the arrays for the bytes of messages. */
    @Override
    public ArrayPool arrays() {
        return arrays;
    }

    /** Counts a message whose handler has returned. */
    @Override
    public void handled() {
        counts.messagesHandled.increment();
    }

    /** Counts a request given up by its caller. */
    @Override
    public void withdrawn() {
        counts.requestsWithdrawn.increment();
    }

    /** Counts a message without a handler, and notifies the listener. */
    @Override
    public void unhandled(Delivery delivery) {
        counts.messagesUnhandled.increment();
        listener.unhandled(delivery.from(), delivery.type());
    }

    /** Counts a request without an answer at the end of the caller's wait. */
    @Override
    public void unanswered() {
        counts.requestsUnanswered.increment();
    }

    /** Counts a message whose handler or codec has thrown, and notifies the listener. */
    @Override
    public void failed(int nid, int type, Throwable e) {
        counts.handlerFailures.increment();
        listener.failed(nid, type, e);
    }
}
