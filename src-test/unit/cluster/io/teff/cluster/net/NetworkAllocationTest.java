package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a message costs no allocation once everything is warm.
 *
 * <p>Method: messages in bursts that fit into the ring, whose codec makes no object; bytes that the sender's thread has
 * allocated, and those of all threads, agents and handlers among them.
 */
final class NetworkAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Map<Integer, String> BOOK = Map.of(1, "loop:allocation-1", 2, "loop:allocation-2");
    private static final int BURST = 500;
    /** Fit into a ring, and into a window. */
    private static final int BURST_BYTES = 400_000;
    /** What threads do that fall asleep and are woken, in a burst; an object has 16 bytes. */
    private static final int BURST_BYTES_MAX = 8 * BURST;
    private static final int WARM_UP = 1000;
    /** Of all messages: waits for room, or a new ring, where the machine has no time for the agent. */
    private static final long SENDER_MAX = 8 << 10;
    private static final int MEASURED = 600;
    private static final long TICK_NS = 50_000_000;

    /** A message without content of its own. */
    private static final class Nothing {
        static final Nothing ONE = new Nothing();
    }

    /** Writes so many bytes. */
    private record NothingCodec(int bytes) implements Codec<Nothing> {
        @Override
        public void write(Nothing value, Output out) {
            out.take(bytes);
        }

        @Override
        public Nothing read(Input in) {
            in.take(bytes);
            return Nothing.ONE;
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    private final AtomicLong handled = new AtomicLong();

    private static Network open(int nid) throws IOException {
        return Network.open(NetworkConfig.builder(nid).listen(BOOK.get(nid)).addresses(BOOK::get).build());
    }

    private static MessageType<Nothing> type(int bytes) {
        return MessageType.of(1, new NothingCodec(bytes));
    }

    private void bursts(Network from, MessageType<Nothing> type, int burst, int count) {
        for (int i = 0; i < count; i++) {
            final long goal = handled.get() + burst;
            for (int k = 0; k < burst; k++) {
                from.send(2, 1, type, Nothing.ONE);
            }
            while (handled.get() < goal) {
                Thread.onSpinWait();
            }
        }
    }

    /** One frame in an array of its own, one in an array of many, and several frames. */
    @ParameterizedTest
    @ValueSource(ints = {8, 3_000, 50_000})
    void messagesHandledWhereTheyComeIn_allocateNothing(int bytes) throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            two.handleShort(type(bytes), (from, message) -> handled.incrementAndGet());
            assertNothing(one, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 3_000, 50_000})
    void messagesHandledByThreads_allocateNothing(int bytes) throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            two.handle(type(bytes), (from, message) -> handled.incrementAndGet());
            assertNothing(one, bytes);
        }
    }

    /** Or thousands of them would keep the collector at work. Without a link, and with one that says that it lives. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void idleAgents_allocateNothing(boolean isConnected) throws IOException {
        try (StillNetworks still = new StillNetworks(1)) {
            final Network one = still.open(still.config(1));
            still.open(still.config(2)).handle(type(8), (from, message) -> handled.incrementAndGet());
            if (isConnected) {
                one.send(2, 1, type(8), Nothing.ONE);
            }
            cycles(still, WARM_UP);
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            cycles(still, MEASURED);
            final long all = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(all < 4 * MEASURED, () -> all + " bytes in " + MEASURED + " cycles");
        }
    }

    private static void cycles(StillNetworks still, int count) {
        for (int i = 0; i < count; i++) {
            still.nowNs += TICK_NS;
            still.work();
        }
    }

    private void assertNothing(Network from, int bytes) {
        final MessageType<Nothing> type = type(bytes);
        final int burst = Math.min(BURST, BURST_BYTES / bytes);
        bursts(from, type, burst, WARM_UP);
        final long all = THREADS.getTotalThreadAllocatedBytes();
        final long own = THREADS.getCurrentThreadAllocatedBytes();
        bursts(from, type, burst, MEASURED);
        final long sender = THREADS.getCurrentThreadAllocatedBytes() - own;
        assertTrue(sender < SENDER_MAX, () -> "by the sender: " + sender + " bytes");
        final long perBurst = (THREADS.getTotalThreadAllocatedBytes() - all) / MEASURED;
        assertTrue(perBurst < BURST_BYTES_MAX, () -> "bytes of all threads for " + burst + " messages: " + perBurst);
    }
}
