package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.PatientConfig;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.os.Clock;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: sending threads do the agent's work in its place, never concurrently with the agent or with each other.
 *
 * <p>Method: agent threads and callers over links in the process, whose transport detects concurrent entry.
 */
final class AgentThreadsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final int CALLERS = 3;
    private static final int CALLS = Form.size(1_500, 5_000, 5_000);
    /** Number of calls by a thread that waits each time until the agent sleeps. */
    private static final long ALONE = 100;

    private final String name = "loop:one-at-a-time-test-" + NAMES.incrementAndGet() + "-";
    private final List<Watched> watched = new ArrayList<>();
    private final List<Network> networks = new ArrayList<>();
    private final List<AgentThreads> threads = new ArrayList<>();
    private final AtomicInteger together = new AtomicInteger();
    private final AtomicInteger bySenders = new AtomicInteger();

    private Network open(int nid) throws IOException {
        final NetworkConfig config = PatientConfig.of(nid).listen(name + nid).addresses(to -> name + to)
            .handlers(Runnable::run).build();
        final Network network = NetworkAccess.make(config, Clock.SYSTEM, new SplittableRandom(nid),
            List.of(new Transports(Map.of("loop", Watched::new), false)), System.nanoTime());
        network.answerShort(SQUARES, (_, number) -> number * number);
        networks.add(network);
        final AgentThreads its = new AgentThreads(NetworkAccess.agents(network), config, Clock.SYSTEM, () -> { },
            () -> { });
        threads.add(its);
        its.start();
        return network;
    }

    @AfterEach
    void close() {
        threads.forEach(it -> it.close(0, () -> { }));
        networks.forEach(Network::close);
    }

    @Test
    void call_beside_othersAndAgents_isOneAtATime() throws IOException {
        final Network one = open(1);
        open(2);
        final List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            final boolean isCalling = i < CALLERS - 1;
            done.add(CompletableFuture.runAsync(() -> {
                for (long number = 0; number < CALLS; number++) {
                    final long square = isCalling ? call(one, number) : one.request(2, SQUARES, number).join();
                    assertEquals(number * number, square);
                }
            }, task -> Thread.ofPlatform().start(task)));
        }
        done.forEach(CompletableFuture::join);
        // on a busy machine the agent may be awake again before the caller writes
        for (long number = 0; number < ALONE || number < 20 * ALONE && bySenders.get() <= ALONE / 2; number++) {
            final Thread agent = Objects.requireNonNull(watched.getFirst().agent);
            Threads.await("the agent sleeps", () -> agent.getState() == Thread.State.TIMED_WAITING);
            assertEquals(number * number, call(one, number));
        }
        assertEquals(0, together.get(), "were there together");
        assertTrue(bySenders.get() > ALONE / 2, () -> bySenders + " writes by callers, though the agent slept");
    }

    private static long call(Network from, long number) {
        try {
            return from.call(2, SQUARES, number);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Detects concurrent polls and writes. */
    private final class Watched extends LoopTap {
        private final AtomicReference<@Nullable Thread> inside = new AtomicReference<>();
        private volatile @Nullable Thread agent;

        Watched() {
            watched.add(this);
        }

        private boolean enter() {
            final Thread me = Thread.currentThread();
            final Thread other = inside.compareAndExchange(null, me);
            if (other != null && !other.equals(me)) {
                together.incrementAndGet();
            }
            return other == null;
        }

        private void leave(boolean hasEntered) {
            if (hasEntered) {
                inside.set(null);
            }
        }

        private Link watched(Link link) {
            return new TappedLink(link) {
                @Override
                public int write(MemorySegment memory, long from, int bytes) {
                    final boolean hasEntered = enter();
                    bySenders.addAndGet(Thread.currentThread().equals(agent) ? 0 : 1);
                    try {
                        return super.write(memory, from, bytes);
                    } finally {
                        leave(hasEntered);
                    }
                }
            };
        }

        @Override
        public String listen(String address, Acceptor acceptor) throws IOException {
            return super.listen(address, link -> acceptor.accepted(watched(link)));
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SENDERS_WRITE);
        }

        @Override
        public Link connect(String address, LinkEvents events) throws IOException {
            return watched(super.connect(address, events));
        }

        @Override
        public int poll() {
            agent = Thread.currentThread();
            final boolean hasEntered = enter();
            try {
                return super.poll();
            } finally {
                leave(hasEntered);
            }
        }
    }
}
