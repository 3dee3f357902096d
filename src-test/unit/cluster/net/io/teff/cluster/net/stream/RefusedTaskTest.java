package io.teff.cluster.net.stream;

import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.thread.HandlerThreads;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Goal: if an executor refuses a task and runs it nevertheless later, no message is handled twice, and none overtakes
 * another one of its lane.
 *
 * <p>Method: the classes in one thread, with an executor whose tasks wait until the test runs them.
 */
final class RefusedTaskTest {
    private static final MessageType<byte[]> TYPE = MessageType.of(1, Codecs.BYTES);
    private static final int WINDOW = 256 << 10;

    private final Queue<Runnable> kept = new ArrayDeque<>();
    private final List<Integer> handled = new ArrayList<>();
    private boolean isRefusing = true;
    private final Executor executor = task -> {
        kept.add(task);
        if (isRefusing) {
            throw new RejectedExecutionException("planned");
        }
    };
    private final Agent node;

    RefusedTaskTest() throws IOException {
        node = NetworkAccess.agent(NetworkAccess.make(
            NetworkConfig.builder(1).handlers(executor).windowBytes(WINDOW).build(), () -> 0, () -> 1,
            List.of(new Transports(Map.of(), false)), 1));
    }

    private Delivery delivery(int lane, int flags, int number) {
        final Delivery delivery = new Delivery(node.dispatcher());
        delivery.set(node.connection(2).session(), 1, lane, flags, number, 0);
        delivery.copyIn(MemorySegment.ofArray(new byte[] {(byte) number}), 0, 1);
        delivery.setEntry(new HandlerEntry(TYPE, it -> handled.add((int) it.read(TYPE)[0]), false, true));
        return delivery;
    }

    private void runAll() {
        for (Runnable next = kept.poll(); next != null; next = kept.poll()) {
            next.run();
        }
    }

    /** The request waits for room for answers, though its task was refused. */
    @Test
    void requestThatIsHeld_isHandledOnce() {
        final Session session = node.connection(2).session();
        final byte[] answer = new byte[WINDOW];
        session.putLater(OutgoingMessage.of(1, 0, Frame.RESPONSE, 1, answer, 0, answer.length), 0);
        node.dispatcher().handle(delivery(0, Frame.REQUEST, 7));
        isRefusing = false;
        final Runnable first = kept.remove();
        first.run();
        assertEquals(List.of(), handled);
        session.putLate();
        runAll();
        first.run();
        assertEquals(List.of(7), handled);
    }

    /** There may be no memory for reporting the failure. */
    @Test
    void messageThatCannotEvenFail_keepsNoLane() {
        final PendingRequests requests = new PendingRequests(new AgentCounters());
        final Dispatcher failing = new Dispatcher(requests, executor, new NetworkListener() {
            @Override
            public void failed(int nid, int type, Throwable thrown) {
                throw new StackOverflowError("planned");
            }
        }, new AgentCounters());
        isRefusing = false;
        final Lanes lanes = node.connection(2).session().lanes();
        final Delivery first = new Delivery(failing);
        first.set(node.connection(2).session(), 1, 3, 0, 1, 0);
        first.setEntry(new HandlerEntry(TYPE, _ -> {
            throw new StackOverflowError("planned");
        }, false, true));
        lanes.add(first, executor);
        lanes.add(delivery(3, 0, 2), executor);
        runAll();
        assertEquals(List.of(2), handled);
    }

    /** The thread may be one of the network's own. */
    @Test
    void taskThatThrows_endsNoThread() throws Exception {
        try (HandlerThreads workers = new HandlerThreads("test", 1, 0, Clock.SYSTEM)) {
            workers.start();
            workers.execute(() -> {
                throw new StackOverflowError("planned");
            });
            final CompletableFuture<Void> done = new CompletableFuture<>();
            workers.execute(() -> done.complete(null));
            done.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void laneWhoseTaskWasKept_staysInOrder() {
        final Lanes lanes = node.connection(2).session().lanes();
        lanes.add(delivery(3, 0, 1), executor);
        isRefusing = false;
        final Runnable first = kept.remove();
        for (int number = 2; number < 5; number++) {
            lanes.add(delivery(3, 0, number), executor);
        }
        first.run();
        assertEquals(List.of(), handled);
        runAll();
        first.run();
        assertEquals(List.of(2, 3, 4), handled);
    }
}
