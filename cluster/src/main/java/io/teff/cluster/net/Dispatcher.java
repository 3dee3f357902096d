package io.teff.cluster.net;

import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings frames that have come to their handlers, each once.
 *
 * <p>Its payload is copied to an array from which codecs read, so that the link's memory is free at once; the arrays
 * are used again. A handler that is marked short runs right here, on the agent's thread. Others run on the handlers'
 * threads: those of lane 0 in any order, those of another lane one after the other. What is handled counts as consumed,
 * which is what the other side's credit comes from.
 *
 * <p>{@link #take} is the agent's; the rest is thread-safe.
 */
final class Dispatcher {
    private static final int SPARE_DELIVERIES_MIN = 1 << 6;
    /** As many small messages as a window has. */
    private static final int SPARE_DELIVERIES_MAX = 1 << 14;

    /** By type; as long as the highest one that is handled needs. */
    private volatile @Nullable Entry[] entries = {};
    private volatile MpmcAtomicArrayQueue<Delivery> spare = new MpmcAtomicArrayQueue<>(SPARE_DELIVERIES_MIN);
    private final Requests requests;
    private final Executor executor;
    private final NetworkListener listener;
    private final Counts counts;

    /**
     * What is done with the messages of a type.
     *
     * @param type of the messages
     * @param work does it
     * @param isShort whether on the agent's thread
     */
    record Entry(MessageType<?> type, Work work, boolean isShort) {}

    /** Reads a message and handles it. */
    @FunctionalInterface
    interface Work {
        /**
         * Does so.
         *
         * @param delivery what came
         * @throws Exception of the codec or the handler
         */
        void handle(Delivery delivery) throws Exception;
    }

    Dispatcher(Requests requests, Executor executor, NetworkListener listener, Counts counts) {
        this.requests = requests;
        this.executor = executor;
        this.listener = listener;
        this.counts = counts;
    }

    /** Sets what is done with a type. */
    synchronized void register(Entry entry) {
        final int type = entry.type().id();
        if (entry(type) != null) {
            throw new IllegalArgumentException("type " + type + " has a handler already");
        }
        final @Nullable Entry[] more = Arrays.copyOf(entries, Math.max(entries.length, type + 1));
        more[type] = entry;
        entries = more;
    }

    private @Nullable Entry entry(int type) {
        final @Nullable Entry[] all = entries;
        return type < all.length ? all[type] : null;
    }

    // ---- the agent's ----

    /** Takes a frame. */
    void take(Session session, MemorySegment memory, long at) throws ProtocolException {
        final int length = Frame.length(memory, at);
        final int flags = Frame.flags(memory, at);
        final int head = Frame.headBytes(flags);
        final Delivery delivery = spare();
        delivery.set(session, Frame.type(memory, at), Frame.lane(memory, at), flags,
            head == Frame.LONG_HEAD_BYTES ? Frame.correlation(memory, at) : 0, Frame.taken(length));
        if ((flags & Frame.SKIPPED) != 0) {
            delivery.end();
        } else if ((flags & Frame.FRAGMENT) != 0) {
            take(delivery, session.fragments().add(delivery, memory, at + head, length - head, limit(delivery)));
        } else {
            delivery.append(memory, at + head, length - head);
            dispatch(delivery);
        }
    }

    private void take(Delivery part, @Nullable Delivery whole) {
        if (whole != null) {
            dispatch(whole);
        } else if (!part.isKept()) {
            part.end();
        }
    }

    /** The longest message that is taken. */
    private int limit(Delivery delivery) {
        if (delivery.isResponse()) {
            final Request<?> request = requests.peek(delivery.correlation(), delivery.session());
            return request == null ? MessageType.BYTES_MAX_DEFAULT : request.answer.bytesMax();
        }
        final Entry entry = entry(delivery.type());
        return entry == null ? MessageType.BYTES_MAX_DEFAULT : entry.type().bytesMax();
    }

    private void dispatch(Delivery delivery) {
        delivery.session().connection.traffic.messagesReceived.add(1);
        if (delivery.isResponse()) {
            final Request<?> request = requests.take(delivery.correlation(), delivery.session());
            if (request != null) {
                (delivery.isFailed() ? counts.requestsFailed : counts.requestsAnswered).add(1);
                delivery.answer(request);
            }
            delivery.end();
            return;
        }
        final Entry entry = entry(delivery.type());
        delivery.setEntry(entry);
        if (entry == null || entry.isShort()) {
            delivery.run();
        } else if (delivery.lane() == 0) {
            executor.execute(delivery);
        } else {
            delivery.session().lanes().add(delivery, executor);
        }
    }

    // ---- deliveries ----

    private Delivery spare() {
        final Delivery used = spare.poll();
        return used != null ? used : new Delivery(this);
    }

    /** A delivery is over: its array may be used again. */
    void giveBack(Delivery delivery) {
        if (!spare.offer(delivery)) {
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
    void failed(Delivery delivery, Exception e) {
        counts.handlerFailures.increment();
        listener.failed(delivery.from(), delivery.type(), e);
    }
}
