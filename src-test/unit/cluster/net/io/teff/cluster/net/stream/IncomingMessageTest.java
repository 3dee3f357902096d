package io.teff.cluster.net.stream;

import com.sun.management.ThreadMXBean;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: nothing is kept of a message that is too long or unwanted, and the message still ends properly. */
final class IncomingMessageTest {
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PART_BYTES = 128 << 10;
    private static final int PARTS_MAX = (1 << 30) / PART_BYTES;
    private static final long ALLOCATED_MAX = 1 << 20;

    private final Dispatcher dispatcher = new Dispatcher(new PendingRequests(new AgentCounters()), Runnable::run,
        NetworkListener.NONE, new AgentCounters());
    private final MemorySegment part = MemorySegment.ofArray(new byte[PART_BYTES]);

    private static Session session() throws IOException {
        return NetworkAccess.agent(NetworkAccess.make(
            NetworkConfig.builder(1).handlers(Runnable::run).build(), () -> 0, () -> 1,
            List.of(new Transports(Map.of(), false)), 1)).connection(2).session();
    }

    private Delivery first(Session session) {
        final Delivery first = new Delivery(dispatcher);
        first.set(session, 1, 0, Frame.FRAGMENT, 1, 0);
        return first;
    }

    private void assertEnds(IncomingMessage message) throws ProtocolException {
        final long before = THREAD.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < PARTS_MAX; i++) {
            message.add(part, 0, PART_BYTES, 0);
            message.readOn();
        }
        final long allocated = THREAD.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < ALLOCATED_MAX, () -> "allocated " + allocated);
        assertThrows(ProtocolException.class, () -> message.add(part, 0, 1, 0));
    }

    @Test
    void messageWithoutAHandler_isNotKept() throws IOException {
        final IncomingMessage message = dispatcher.unwanted(session(), first(session()));
        assertEnds(message);
        assertEquals(0, message.takeCollected().length);
    }

    @Test
    void messageThatIsTooLong_isNotKept() throws IOException {
        for (Codec<?> codec : List.of(Codecs.BYTES, Codecs.of(long[].class))) {
            final IncomingMessage message = dispatcher.incoming(session(), first(session()),
                new MessageType<>(1, codec, 200_000),
                null);
            assertEnds(message);
            assertEquals(0, message.takeCollected().length);
            assertThrows(MalformedException.class, message::readToEnd);
        }
    }

    /** Reported like any other failure of a codec; the agent continues. */
    @Test
    void messageForWhichThereIsNoMemory_failsAlone() throws IOException {
        final IncomingMessage message = dispatcher.incoming(session(), first(session()),
            MessageType.of(1, Codecs.BYTES), null);
        message.add(part, 0, PART_BYTES, 0);
        dispatcher.arrays().source = _ -> {
            throw new OutOfMemoryError("planned");
        };
        try {
            for (int i = 0; i < 3; i++) {
                message.add(part, 0, PART_BYTES, 0);
                message.readOn();
            }
        } catch (OutOfMemoryError e) {                          // an error would end all tests silently
            throw new AssertionError("the agent sees it", e);
        }
        assertEquals(0, message.takeCollected().length);
        assertThrows(OutOfMemoryError.class, message::readToEnd);
    }

    /** Short fragments without a reading thread: only their bytes, and little more, are kept. */
    @Test
    void shortParts_waitInShortArrays() throws IOException {
        final int bytes = 1 << 10;
        final List<Runnable> tasks = new ArrayList<>();
        final IncomingMessage message = dispatcher.incoming(session(), first(session()),
            MessageType.of(1, Codecs.of(long[].class)),
            tasks::add);
        final long before = THREAD.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            message.add(part, 0, bytes, 0);
            message.readOn();
        }
        final long allocated = THREAD.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 2 * 1_000 * bytes, () -> "allocated " + allocated);
        assertEquals(1, tasks.size());
    }
}
