package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;

/**
 * Brings frames that have come to their handlers, each once.
 *
 * <p>Its payload is copied to an array from which codecs read, so that the link's memory is free at once; the arrays
 * are used again. A message that comes in fragments is read as they come: see {@link IncomingMessage}. A handler that is
 * marked short runs right here, on the agent's thread. Others run on the handlers' threads: those of lane 0 in any
 * order, those of another lane one after the other. What is handled counts as consumed, which is what the other side's
 * credit comes from.
 *
 * <p>{@link #take} is the agent's; the rest is thread-safe.
 */
public final class Dispatcher {
    private static final int SPARE_DELIVERIES_MIN = 1 << 6;
    /** As many small messages as a window has. */
    private static final int SPARE_DELIVERIES_MAX = 1 << 14;
    /** Of long messages; without their arrays. */
    private static final int SPARE_PIECES = 1 << 8;

    /** Of all agents. */
    private final HandlerTable handlers;
    private volatile MpmcAtomicArrayQueue<Delivery> spare = new MpmcAtomicArrayQueue<>(SPARE_DELIVERIES_MIN);
    private final MpmcAtomicArrayQueue<FragmentCopy> pieces = new MpmcAtomicArrayQueue<>(SPARE_PIECES);
    private final ArrayPool arrays = new ArrayPool();
    private final Requests requests;
    private final Executor executor;
    private final NetworkListener listener;
    private final AgentCounters counts;

    /**
     * What is done with the messages of a type.
     *
     * @param type of the messages
     * @param work does it
     * @param isShort whether on the agent's thread
     * @param isAnswering whether it answers requests
     */
    public record Entry(MessageType<?> type, Work work, boolean isShort, boolean isAnswering) {}

    /** Reads a message and handles it. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does so.
         *
         * @param delivery what came
         * @throws Exception of the codec or the handler
         */
        void handle(Delivery delivery) throws Exception;
    }

    public Dispatcher(Requests requests, Executor executor, NetworkListener listener, AgentCounters counts) {
        this(new HandlerTable(), requests, executor, listener, counts);
    }

    private Dispatcher(HandlerTable handlers, Requests requests, Executor executor, NetworkListener listener,
                       AgentCounters counts) {
        this.handlers = handlers;
        this.requests = requests;
        this.executor = executor;
        this.listener = listener;
        this.counts = counts;
    }

    /** One for another agent, with the same handlers. */
    public Dispatcher another(AgentCounters its) {
        return new Dispatcher(handlers, requests, executor, listener, its);
    }

    /** Sets what is done with a type, by whatever agent. */
    public void register(Entry entry) {
        handlers.add(entry);
    }

    // ---- the agent's ----

    /** Takes a frame. */
    public void take(Session session, MemorySegment memory, long at) throws ProtocolException {
        final int length = Frame.length(memory, at);
        final int flags = Frame.flags(memory, at);
        final int head = Frame.headBytes(flags);
        final Delivery delivery = spare();
        delivery.set(session, Frame.type(memory, at), Frame.lane(memory, at), flags,
            head == Frame.LONG_HEAD_BYTES ? Frame.correlation(memory, at) : 0, Frame.taken(length));
        if ((flags & Frame.FRAGMENT) != 0) {
            takePart(delivery, memory, at + head, length - head);
        } else if ((flags & Frame.SKIPPED) != 0) {
            delivery.end();
        } else {
            delivery.copyIn(memory, at + head, length - head);
            dispatch(delivery);
        }
    }

    /** The last part of a message takes it along to its handler, and its own credit. */
    private void takePart(Delivery part, MemorySegment memory, long from, int bytes) throws ProtocolException {
        final FragmentTable begun = part.session().fragments();
        final boolean isLast = (part.flags() & Frame.LAST) != 0;
        final IncomingMessage known = begun.find(part);
        if (known != null && isLast) {
            begun.remove(part);
        }
        if ((part.flags() & Frame.SKIPPED) != 0) {
            if (known != null) {
                known.drop();
            }
            part.end();
            return;
        }
        final IncomingMessage message = known == null ? incoming(part) : known;
        if (known == null && !isLast) {
            begun.add(part, message);
        }
        message.add(memory, from, bytes, isLast ? 0 : part.takeCredit());
        if (isLast) {
            part.setWhole(message);
            if (message.isCollected()) {
                part.hold();
            }
            dispatch(part);
        } else {
            message.readOn();
            part.end();
        }
    }

    private IncomingMessage incoming(Delivery first) {
        if (first.isResponse()) {
            final Request<?> request = requests.peek(first.correlation(), first.session());
            return request == null ? IncomingMessage.unwanted(this, first) : IncomingMessage.of(this, first, request.answer, null);
        }
        final Entry entry = handlers.of(first.type());
        return entry == null ? IncomingMessage.unwanted(this, first)
            : IncomingMessage.of(this, first, entry.type(), entry.isShort() ? null : executor);
    }

    private void dispatch(Delivery delivery) {
        delivery.session().connection.traffic.messagesReceived.add(1);
        if (delivery.isResponse()) {
            final Request<?> request = requests.take(delivery.correlation(), delivery.session());
            if (request != null) {
                if (delivery.isFailed()) {
                    counts.requestsFailed.increment();
                } else {
                    counts.requestsAnswered.add(1);
                }
                delivery.answer(request);
            }
            delivery.end();
            return;
        }
        final Entry found = delivery.isWanted() ? handlers.of(delivery.type()) : null;
        final Entry entry = found != null && delivery.isRequest() && !found.isAnswering() ? null : found;
        delivery.setEntry(entry);
        if (entry == null || entry.isShort() || delivery.lane() == 0) {
            handle(delivery);
        } else {
            delivery.session().lanes().add(delivery, executor);
        }
    }

    /** Lets a message be handled that follows no other one; now, or by another thread. */
    void handle(Delivery delivery) {
        final Entry entry = delivery.entry();
        if (entry == null || entry.isShort()) {
            delivery.run();
            return;
        }
        try {
            executor.execute(delivery);
        } catch (Throwable e) {                                 // of the application's executor
            delivery.refused(e);
        }
    }

    // ---- deliveries ----

    private Delivery spare() {
        final Delivery used = spare.poll();
        return used != null ? used : new Delivery(this);
    }

    /** A delivery is over: its array may be used again. */
    void giveBack(Delivery delivery) {
        if (!spare.offer(delivery) && spare.capacity() < SPARE_DELIVERIES_MAX) {
            keepMore();
        }
    }

    /** Lets more deliveries be kept. Those that others give back meanwhile may be lost, which does no harm. */
    private synchronized void keepMore() {
        final MpmcAtomicArrayQueue<Delivery> full = spare;
        if (full.size() == full.capacity() && full.capacity() < SPARE_DELIVERIES_MAX) {
            final MpmcAtomicArrayQueue<Delivery> more = new MpmcAtomicArrayQueue<>(full.capacity() * 4);
            full.drain(more::offer);
            spare = more;
        }
    }

    /** For the bytes of messages. */
    public ArrayPool arrays() {
        return arrays;
    }

    /** For bytes of a long message; without an array. */
    FragmentCopy piece() {
        final FragmentCopy used = pieces.poll();
        return used != null ? used : new FragmentCopy();
    }

    /** Bytes of a long message are read: they may be used again. */
    void giveBack(FragmentCopy piece) {
        arrays.giveBack(piece.takeBytes());
        pieces.offer(piece);
    }

    /** A handler has come to its end. */
    void handled() {
        counts.messagesHandled.increment();
    }

    /** A message came that nobody handles. */
    void unhandled(Delivery delivery) {
        counts.messagesUnhandled.increment();
        listener.unhandled(delivery.from(), delivery.type());
    }

    /** A handler has thrown, or a message could not be read. */
    void failed(Delivery delivery, Throwable e) {
        counts.handlerFailures.increment();
        listener.failed(delivery.from(), delivery.type(), e);
    }
}
