package io.teff.cluster.net.agent;

import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.stream.Delivery;
import io.teff.cluster.net.stream.IncomingMessage;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: handled or ended objects become unreachable, though the objects around them are reused.
 *
 * <p>Method: weak references; a leak shows by a time limit.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReleaseTest {
    private static final int BYTES = 2_000_000;
    private static final int RINGS = 64;
    private static final int RING_BYTES = 1 << 14;
    private static final long SECOND = 1_000_000_000;

    private long now;
    /** Time between two readings of the clock. */
    private long stepNs;

    /** Remembers the array that it has read from. */
    private static final class Watch implements Codec<Integer> {
        private final List<WeakReference<byte[]>> arrays = new ArrayList<>();

        @Override
        public void write(Integer value, Output out) {
            out.take(value);
        }

        @Override
        public Integer read(Input in) {
            arrays.add(new WeakReference<>(in.array()));
            return in.take(in.left());
        }

        @Override
        public long fingerprint() {
            return 1;
        }
    }

    private static void awaitGone(WeakReference<?> reference) {
        Threads.await("the collector", () -> {
            System.gc();
            return reference.get() == null;
        });
    }

    private Agent node() throws IOException {
        return NetworkAccess.agent(NetworkAccess.make(
            NetworkConfig.builder(1).handlers(Runnable::run).build(), () -> now += stepNs, () -> 1,
            List.of(new Transports(Map.of(), false)), 1));
    }

    @Test
    void arrayThatThePoolDoesNotTake_goesWithItsMessage() throws IOException {
        final Agent node = node();
        final Watch codec = new Watch();
        final Delivery delivery = new Delivery(node.dispatcher());
        delivery.set(node.connection(2).session(), 1, 0, 0, 0, 0);
        delivery.copyIn(MemorySegment.ofArray(new byte[BYTES]), 0, BYTES);
        assertEquals(0, delivery.read(MessageType.of(1, codec)));
        delivery.end();
        awaitGone(codec.arrays.getFirst());
        Reference.reachabilityFence(delivery);
    }

    /** With half a message, which its sender does not continue. */
    @Test
    void sessionThatHasEnded_goes() throws IOException {
        final Agent node = node();
        final WeakReference<IncomingMessage> half = half(node);
        final WeakReference<Session> lost = lose(node);
        assertNull(node.connection(2).known());
        for (int i = 0; i < 10; i++) {
            now += 100_000_000;
            node.doWork();
        }
        awaitGone(lost);
        awaitGone(half);
        Reference.reachabilityFence(node);
    }

    private static Agent withSpareRings(Agent node) {
        final List<MemorySegment> taken = new ArrayList<>();
        for (int i = 0; i < RINGS; i++) {
            taken.add(Objects.requireNonNull(node.rings().take(RING_BYTES)));
        }
        taken.forEach(it -> node.rings().giveBack(it, RING_BYTES));
        return node;
    }

    /** A few in each tick, because releasing takes time; these ticks are more frequent than those of a resting node. */
    @Test
    void unusedRings_areFreedSoon() throws IOException {
        final Agent node = withSpareRings(node());
        for (int i = 0; i < 2; i++) {
            now += 5 * SECOND;
            node.doWork();
        }
        for (int i = 0; i < RINGS / 8; i++) {
            now += node.config().tickNs();
            node.doWork();
        }
        assertEquals(0, node.rings().allocatedBytes());
    }

    /** Slow releases are followed by a pause, in which the agent has nothing else to do. */
    @Test
    void agentWhosePoolPauses_sleeps() throws IOException {
        final Agent node = withSpareRings(node());
        now += 5 * SECOND;
        node.doWork();
        now += 5 * SECOND;
        stepNs = SECOND / 1000;
        node.doWork();
        stepNs = 0;
        assertTrue(node.rings().allocatedBytes() > 0);
        assertTrue(node.idleNs() > 2 * node.config().tickNs(), () -> node.idleNs() + " ns");
    }

    private static WeakReference<Session> lose(Agent node) {
        final Session session = node.connection(2).session();
        node.lose(node.connection(2), session, "planned");
        return new WeakReference<>(session);
    }

    private static WeakReference<IncomingMessage> half(Agent node) throws IOException {
        final Delivery part = new Delivery(node.dispatcher());
        final Session session = node.connection(2).session();
        part.set(session, 1, 0, Frame.FRAGMENT, 1, 0);
        final IncomingMessage message = node.dispatcher().incoming(session, part, MessageType.of(1, new Watch()), null);
        session.fragments().add(part, message);
        return new WeakReference<>(message);
    }
}
