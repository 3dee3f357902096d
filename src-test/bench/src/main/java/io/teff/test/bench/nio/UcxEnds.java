package io.teff.test.bench.nio;

import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxMessageMode;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxRequest;
import io.teff.rdma.ucx.worker.UcxConfig;
import io.teff.rdma.ucx.worker.UcxContext;
import io.teff.rdma.ucx.worker.UcxEndpoint;
import io.teff.rdma.ucx.worker.UcxErrorMode;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Two workers of UCX with a thread each, which spin. A message is an active message: the receiver copies its bytes from
 * the handler, or lets UCX fetch them, as UCX chooses by length. A sender of a stream has up to {@link #WINDOW}
 * messages under way and stops when the receiver is {@link #AHEAD} messages behind: without a limit UCX would keep
 * messages in memory.
 */
final class UcxEnds implements Ends {
    private static final int MESSAGE = 1;
    private static final int WINDOW = 16;
    private static final int AHEAD = 64;
    private static final long PATIENCE_MS = 10_000;
    private static final long SETTLE_NS = 1_000_000_000L;

    private final NioCase what;
    private final Trips trips = new Trips();
    private final CyclicBarrier barrier = new CyclicBarrier(2);
    private final AtomicLong arrived = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final byte[][] addresses = new byte[2][];
    private final Thread[] threads = new Thread[2];

    UcxEnds(NioCase what) {
        this.what = what;
        for (int i = 0; i < threads.length; i++) {
            final int number = i;
            threads[i] = Thread.ofPlatform().name("ucx-" + i).unstarted(() -> run(number));
        }
    }

    /** A worker, used by one thread. */
    private final class End {
        private final Arena arena = Arena.ofShared();
        private final UcxContext context = UcxContext.open(UcxConfig.builder(UcxFeature.ACTIVE_MESSAGE).build());
        private final UcxWorker worker = context.worker(UcxThreadMode.SINGLE);
        private final MemorySegment source = arena.allocate(what.bytes(), Long.BYTES);
        private final MemorySegment target = arena.allocate(what.bytes(), Long.BYTES);
        private final UcxRequest[] sends = new UcxRequest[WINDOW];
        private final UcxRequest[] receives = new UcxRequest[AHEAD];
        private long begun;
        private long received;

        End() {
            for (int i = 0; i < sends.length; i++) {
                sends[i] = worker.request();
            }
            for (int i = 0; i < receives.length; i++) {
                receives[i] = worker.request();
            }
            worker.onMessage(MESSAGE, message ->
                message.receive(target, 0, receives[(int) (received++ % receives.length)]));
        }

        /** Sends a message, when the request of an earlier message is free. */
        void send(UcxEndpoint endpoint) {
            final UcxRequest request = sends[(int) (begun++ % sends.length)];
            while (!request.isDone()) {
                worker.progress();
            }
            endpoint.send(MESSAGE, source, 0, 0, source, 0, what.bytes(), UcxMessageMode.AUTOMATIC, request);
        }

        /** Waits for the message behind a number of messages; false if all is over. */
        boolean await(long number) {
            while (received <= number || !receives[(int) (number % receives.length)].isDone()) {
                if (worker.progress() == 0 && trips.isOver()) {
                    return false;
                }
            }
            return true;
        }

        void close() {
            worker.progress();
            context.close();
            arena.close();
        }
    }

    private void run(int number) {
        try {
            final End end = new End();
            addresses[number] = end.worker.address();
            barrier.await();
            final UcxEndpoint endpoint = end.worker.connect(addresses[1 - number], UcxErrorMode.NONE);
            if (what.mode() == NioMode.PLAIN_TRIP) {
                trip(number, end, endpoint);
            } else if (number == 0) {
                stream(end, endpoint);
            } else {
                receive(end);
            }
            final long begin = System.nanoTime();
            while (barrier.getNumberWaiting() == 0 && System.nanoTime() - begin < SETTLE_NS) {
                end.worker.progress();                          // the other end may still send
            }
            barrier.await();
            end.close();
        } catch (Exception e) {
            trips.failed(e);
            barrier.reset();
        }
    }

    private void trip(int number, End end, UcxEndpoint endpoint) {
        long before = System.nanoTime();
        for (long i = 0; !trips.isOver(); i++) {
            if (number == 0) {
                end.send(endpoint);
            }
            if (!end.await(i)) {
                return;
            }
            if (number == 1) {
                end.send(endpoint);
                continue;
            }
            final long now = System.nanoTime();
            trips.record(now - before);
            before = now;
            count.lazySet(i + 1);
        }
    }

    private void stream(End end, UcxEndpoint endpoint) {
        for (long i = 0; !trips.isOver(); i++) {
            while (i - arrived.get() >= AHEAD - WINDOW && !trips.isOver()) {
                end.worker.progress();
            }
            end.send(endpoint);
        }
    }

    private void receive(End end) {
        for (long i = 0; end.await(i); i++) {
            arrived.lazySet(i + 1);
            count.lazySet(i + 1);
        }
    }

    @Override
    public void start() {
        for (Thread thread : threads) {
            thread.start();
        }
    }

    @Override
    public void restart() {
        trips.restart();
    }

    @Override
    public long count() {
        return count.get();
    }

    @Override
    public boolean isFailed() {
        return trips.isFailed();
    }

    @Override
    public Histogram stop() throws InterruptedException {
        trips.over();
        for (Thread thread : threads) {
            thread.join(PATIENCE_MS);
        }
        return trips.result();
    }

    @Override
    public void close() {
        trips.over();
    }
}
