package io.teff.cluster.net;

import io.teff.cluster.net.ring.Outgoing;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Identity;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.os.Clock;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Random;
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
        Counts counts = new Counts();
        Requests requests = new Requests(counts);
        RingPool pool = new RingPool(Long.MAX_VALUE, Clock.SYSTEM);
        NetworkConfig config = NetworkConfig.builder(1).build();
        Node node = new Node(config, Clock.SYSTEM, new Random(1), new Transports(Map.of(), false),
            new Identity(1, 1, 0, 0, 0), new Dispatcher(requests, Runnable::run, NetworkListener.NONE, counts),
            requests, pool, counts, new Agents(config));
        return new Session(new Connection(node, 2), 1, new Outgoing(pool, 256, 256, 256),
            new FrameInput(node.checker(), new FrameInput.Sink() {
                @Override
                public void frame(MemorySegment memory, long at) {}

                @Override
                public void control(MemorySegment memory, long at) {}
            }), 1);
    }

    /** The table. */
    @Param(name = "request", gen = IntGen.class, conf = "0:2")
    public static class Table {
        private final Requests table = new Requests(new Counts(), SLOTS);
        private final Request<?>[] requests = new Request<?>[REQUESTS];
        private final boolean[] isTried = new boolean[REQUESTS];

        /** Makes an empty one. */
        public Table() {
            for (int i = 0; i < REQUESTS; i++) {
                requests[i] = new Request<>(1, 2, 0, MessageType.of(1, Codecs.LONG), false);
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

        boolean answer(Requests all, Request<?> its) {
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
        boolean answer(Requests all, Request<?> its) {
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
