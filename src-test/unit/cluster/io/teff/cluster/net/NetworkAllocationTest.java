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
import org.junit.jupiter.api.Test;

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
    /** What threads do that fall asleep and are woken, spread over the messages of a burst; an object has 16. */
    private static final int BYTES_MAX = 8;
    private static final int WARM_UP = 1000;
    /** Of all messages: waits for room, or a new ring, where the machine has no time for the agent. */
    private static final long SENDER_MAX = 8 << 10;
    private static final int MEASURED = 600;

    /** A message without content of its own. */
    private static final class Nothing {
        static final Nothing ONE = new Nothing();
    }

    private static final class NothingCodec implements Codec<Nothing> {
        @Override
        public void write(Nothing value, Output out) {
            out.putLong(1);
        }

        @Override
        public Nothing read(Input in) {
            in.getLong();
            return Nothing.ONE;
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    private final MessageType<Nothing> type = MessageType.of(1, new NothingCodec());
    private final AtomicLong handled = new AtomicLong();

    private static Network open(int nid) throws IOException {
        return Network.open(NetworkConfig.builder(nid).listen(BOOK.get(nid)).addresses(BOOK::get).build());
    }

    private void bursts(Network from, int count) {
        for (int i = 0; i < count; i++) {
            final long goal = handled.get() + BURST;
            for (int k = 0; k < BURST; k++) {
                from.send(2, 1, type, Nothing.ONE);
            }
            while (handled.get() < goal) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void messagesHandledWhereTheyComeIn_allocateNothing() throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            two.handleShort(type, (from, message) -> handled.incrementAndGet());
            assertNothing(one);
        }
    }

    @Test
    void messagesHandledByThreads_allocateNothing() throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            two.handle(type, (from, message) -> handled.incrementAndGet());
            assertNothing(one);
        }
    }

    private void assertNothing(Network from) {
        bursts(from, WARM_UP);
        final long all = THREADS.getTotalThreadAllocatedBytes();
        final long own = THREADS.getCurrentThreadAllocatedBytes();
        bursts(from, MEASURED);
        final long sender = THREADS.getCurrentThreadAllocatedBytes() - own;
        assertTrue(sender < SENDER_MAX, () -> "by the sender: " + sender + " bytes");
        final double perMessage = (THREADS.getTotalThreadAllocatedBytes() - all) / (double) (MEASURED * BURST);
        assertTrue(perMessage < BYTES_MAX, () -> "bytes of all threads per message: " + perMessage);
    }
}
