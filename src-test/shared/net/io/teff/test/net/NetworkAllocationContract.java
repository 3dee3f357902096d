package io.teff.test.net;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: after warm-up a message costs no allocation, whatever transport carries it.
 *
 * <p>Method: messages in bursts that fit into the ring, whose codec makes no object; measured are the bytes allocated
 * by the sender's thread and by all threads, including agents and handlers. Over the transport of the subclass.
 */
public abstract class NetworkAllocationContract {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long LONG_NS = 60_000_000_000L;
    private static final int BURST = 500;
    /** Bytes of a burst: fits into a ring and into a window. */
    private static final int BURST_BYTES = 400_000;
    /** Allowance per burst for the JDK's own objects when threads park and wake; an object has 16 bytes. */
    private static final int BURST_BYTES_MAX = BURST;
    private static final int WARM_UP = Form.size(300, 1_000, 1_000);
    private static final int MEASURED = Form.size(200, 600, 600);
    /**
     * A ring that grows allocates a few times in its life, and on a busy machine the compiler is late; an allocation
     * per message is seen by each measurement.
     */
    private static final int MEASUREMENTS_MAX = 40;
    /** Allowance for all messages: on a busy machine one wait for room per burst, 32 bytes. */
    private static final long SENDER_MAX = 32L * MEASURED;

    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final AtomicLong handled = new AtomicLong();

    /** A message without content of its own. */
    private static final class Nothing {
        static final Nothing ONE = new Nothing();
    }

    /** Writes the given number of bytes. */
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

    /** {@return the address at which a node listens} */
    protected abstract String listenAt(int nid);

    private Network open(int nid) throws IOException {
        final Network network = Network.open(NetworkConfig.builder(nid).listen(listenAt(nid)).addresses(book::get)
            .reachNs(LONG_NS).awayNs(LONG_NS).sendTimeoutNs(LONG_NS).build());
        book.put(nid, network.addresses().getFirst());
        return network;
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
            while (handled.get() < goal) {                      // by no lambda, which would be allocated
                assertFalse(Thread.currentThread().isInterrupted());
                Thread.yield();
            }
        }
    }

    /** One frame in an array of its own, one in an array of many, and several frames. */
    @ParameterizedTest
    @ValueSource(ints = {8, 3_000, 50_000})
    protected void messagesHandledWhereTheyComeIn_allocateNothing(int bytes) throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            two.handleShort(type(bytes), (from, message) -> handled.incrementAndGet());
            assertNothing(one, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 3_000, 50_000})
    protected void messagesHandledByThreads_allocateNothing(int bytes) throws IOException {
        try (Network one = open(1); Network two = open(2)) {
            two.handle(type(bytes), (from, message) -> handled.incrementAndGet());
            assertNothing(one, bytes);
        }
    }

    private void assertNothing(Network from, int bytes) {
        final MessageType<Nothing> type = type(bytes);
        final int burst = Math.min(BURST, BURST_BYTES / bytes);
        bursts(from, type, burst, WARM_UP);
        Allocated least = allocatedBy(from, type, burst);
        for (int i = 1; i < MEASUREMENTS_MAX && !least.isNothing(); i++) {
            final Allocated next = allocatedBy(from, type, burst);
            least = next.sender() + next.perBurst() < least.sender() + least.perBurst() ? next : least;
        }
        final Allocated measured = least;
        assertTrue(measured.isNothing(), () -> burst + " messages of " + bytes + " bytes per burst: " + measured);
    }

    private Allocated allocatedBy(Network from, MessageType<Nothing> type, int burst) {
        final long all = THREADS.getTotalThreadAllocatedBytes();
        final long own = THREADS.getCurrentThreadAllocatedBytes();
        bursts(from, type, burst, MEASURED);
        return new Allocated(THREADS.getCurrentThreadAllocatedBytes() - own,
            (THREADS.getTotalThreadAllocatedBytes() - all) / MEASURED);
    }

    /** Bytes that the sender's thread has allocated in all, and all threads per burst. */
    private record Allocated(long sender, long perBurst) {
        boolean isNothing() {
            return sender < SENDER_MAX && perBurst < BURST_BYTES_MAX;
        }
    }
}
