package io.teff.cluster.net.stream;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.counter.ConnectionCounters;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.thread.AnswerWait;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.os.Clock;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * The table of requests that wait, for a model checker: three requests and two slots, so that slots are used again and
 * the table can be full. It stands in the network's package to reach it.
 */
public final class RequestTable {
    private static final int REQUESTS = 3;
    private static final int SLOTS = 2;
    private static final Session SESSION = session();

    private RequestTable() {}

    private static Session session() {
        RingPool pool = new RingPool(Long.MAX_VALUE, Clock.SYSTEM);
        return new Session(new NoPeer(), 1, new SendStream(pool, 256, 256, 256), new FrameInput(new FrameChecker()), 1);
    }

    /** A peer that nothing is sent to. */
    private static final class NoPeer implements RemoteNode {
        private final ConnectionCounters counters = new ConnectionCounters(0);

        @Override
        public int nid() {
            return 2;
        }

        @Override
        public ConnectionCounters counters() {
            return counters;
        }

        @Override
        public Session session() {
            return SESSION;
        }

        @Override
        public NetworkException lastEnd() {
            return null;
        }

        @Override
        public String dialFailure() {
            return "";
        }

        @Override
        public void signal() {}

        @Override
        public void signalOrFlush() {}

        @Override
        public void signalHandled() {}
    }

    /** The table. */
    @Param(name = "request", gen = IntGen.class, conf = "0:2")
    public static class Table {
        private final PendingRequests table = new PendingRequests(new AgentCounters(), SLOTS);
        private final Request<?>[] requests = new Request<?>[REQUESTS];
        private final boolean[] isTried = new boolean[REQUESTS];

        /** Makes an empty one. */
        public Table() {
            for (int i = 0; i < REQUESTS; i++) {
                requests[i] = new Request<>(1, 2, 0, MessageType.of(1, Codecs.LONG), false, AnswerWait.ALLOWED);
                requests[i].session = SESSION;
            }
        }

        /** Takes a request in, once. */
        @Operation(params = "request")
        public boolean add(int request) {
            synchronized (requests[request]) {
                boolean isAgain = isTried[request];
                isTried[request] = true;
                return !isAgain && table.add(requests[request]) >= 0;
            }
        }

        /** Its answer has come: whether that ends it. */
        @Operation(params = "request")
        public boolean answer(int request) {
            return answer(table, requests[request]);
        }

        boolean answer(PendingRequests all, Request<?> its) {
            return all.take(its.correlation, SESSION) == its;
        }

        /** Its sender gives up: whether that ends it. */
        @Operation(params = "request")
        public boolean giveUp(int request) {
            return table.take(requests[request]);
        }
    }

    /** Looks and then ends, in two steps. */
    public static final class CarelessTable extends Table {
        @Override
        boolean answer(PendingRequests all, Request<?> its) {
            boolean isThere = all.peek(its.correlation, SESSION) == its;
            all.take(its);
            return isThere;
        }
    }

    /** Each request ends once. */
    public static final class Rules {
        private final boolean[] isTried = new boolean[REQUESTS];
        private final boolean[] isWaiting = new boolean[REQUESTS];
        private int waiting;

        /** Takes one in. */
        public boolean add(int request) {
            boolean isAgain = isTried[request];
            isTried[request] = true;
            if (isAgain || waiting == SLOTS) {
                return false;
            }
            waiting++;
            isWaiting[request] = true;
            return true;
        }

        /** Ends one. */
        public boolean answer(int request) {
            return end(request);
        }

        /** Ends one. */
        public boolean giveUp(int request) {
            return end(request);
        }

        private boolean end(int request) {
            boolean isFirst = isWaiting[request];
            isWaiting[request] = false;
            waiting -= isFirst ? 1 : 0;
            return isFirst;
        }
    }
}
