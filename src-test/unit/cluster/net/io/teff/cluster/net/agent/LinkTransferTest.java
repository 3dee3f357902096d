package io.teff.cluster.net.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.loop.LoopProvider;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.GreetingReader;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a link that moves from the accepting agent to its own agent ends or is up within its time limit, and is counted
 * once, whatever happens meanwhile.
 *
 * <p>Method: a network of two agents without threads, each called by the test, and peers that greet by hand.
 */
final class LinkTransferTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final long SECOND = 1_000_000_000;
    private static final int HUB = 1000;
    private static final int NID_OF_FIRST = 2;
    private static final int NID_OF_SECOND = 1;

    private final String address = "loop:agents-move-test-" + NAMES.incrementAndGet();
    private final Time time = new Time();

    /** A clock that stands still unless moved. */
    private static final class Time implements Clock {
        private long ns;

        @Override
        public long nowNs() {
            return ns;
        }
    }

    /** A peer that dials and, if requested, greets. */
    private final class Dialer implements LinkEvents {
        private final Transport transport = loop();
        private final DialerHandshake handshake;
        private final GreetingReader reader = new GreetingReader();
        private final byte[] hello;
        private final Link link;
        private boolean isConnected;
        private boolean isClosed;
        private @Nullable Refusal refusal;

        Dialer(int nid) throws IOException {
            handshake = new DialerHandshake(new Identity(nid, 1, ClusterId.NONE, 0), HUB, new byte[0],
                _ -> new Greeting.Proof(false, new byte[Greeting.MAC_BYTES], nid, 0, 1 << 20, false));
            hello = handshake.hello(new byte[Greeting.NONCE_BYTES]);
            link = transport.connect(address, this);
        }

        void say(byte[] bytes) {
            assertEquals(bytes.length, link.write(MemorySegment.ofArray(bytes), 0, bytes.length));
        }

        @Override
        public void connected() {
            isConnected = true;
        }

        @Override
        public void bytes(MemorySegment memory, long from, int bytes) {
            final ByteBuffer said = GreetingReader.view(memory, from, bytes);
            try {
                for (Greeting it = reader.read(said); it != null && !handshake.isDone(); it = reader.read(said)) {
                    final byte[] answer = handshake.take(it);
                    if (answer != null) {
                        link.write(MemorySegment.ofArray(answer), 0, answer.length);
                    }
                    if (handshake.isDone()) {
                        return;                                 // frames follow
                    }
                }
            } catch (RefusedException e) {
                refusal = e.reason();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void writable() {}

        @Override
        public void closed(@Nullable IOException why) {
            isClosed = true;
        }
    }

    private static Transport loop() {
        return new LoopProvider().open(new TransportOptions(null));
    }

    private static Transports transports() {
        return new Transports(Map.of("loop", LinkTransferTest::loop), false);
    }

    private Network open(NetworkConfig.Builder config) throws IOException {
        return NetworkAccess.make(config.handlers(Runnable::run).build(), time, new SplittableRandom(1),
            List.of(transports(), transports()), 1);
    }

    private NetworkConfig.Builder config() {
        return NetworkConfig.builder(HUB).listen(address).greetingNs(SECOND);
    }

    private static Agent agent(Network hub, int index) {
        return NetworkAccess.agents(hub).all().get(index);
    }

    /** Returns a link that the first agent has accepted and that has sent HELLO. */
    private Dialer accepted(Network hub, int nid) throws IOException {
        final Dialer dialer = new Dialer(nid);
        agent(hub, 0).doWork();
        dialer.transport.poll();
        assertTrue(dialer.isConnected);
        return dialer;
    }

    /** Returns a link that waits in the queue of the second agent. */
    private Dialer moving(Network hub) throws IOException {
        final Dialer dialer = accepted(hub, NID_OF_SECOND);
        dialer.say(dialer.hello);
        assertTrue(agent(hub, 0).doWork() > 0);
        assertEquals(1, NetworkAccess.agents(hub).links().count());
        dialer.transport.poll();
        assertFalse(dialer.isClosed);
        return dialer;
    }

    private static void run(Network hub, Dialer dialer) {
        for (int i = 0; i < 10; i++) {
            dialer.transport.poll();
            NetworkAccess.agents(hub).all().forEach(Agent::doWork);
        }
        dialer.transport.poll();
    }

    private static void assertGone(Network hub, Dialer dialer) {
        run(hub, dialer);
        assertTrue(dialer.isClosed || dialer.refusal != null, "the link is still there");
        assertEquals(0, NetworkAccess.agents(hub).links().count());
        assertFalse(dialer.handshake.isDone());
        assertEquals(List.of(0, 0), links(hub));
    }

    /** Returns the number of links that each agent knows. */
    private static List<Integer> links(Network hub) {
        return NetworkAccess.agents(hub).all().stream().map(it -> it.channels().size()).toList();
    }

    @Test
    void nids_belongToOneAgentEach() {
        assertEquals(0, Agents.index(NID_OF_FIRST, 2));
        assertEquals(1, Agents.index(NID_OF_SECOND, 2));
    }

    @Test
    void links_comeUpAtTheirAgents() throws IOException {
        try (Network hub = open(config())) {
            for (int nid : new int[] {NID_OF_FIRST, NID_OF_SECOND}) {
                final Dialer dialer = accepted(hub, nid);
                dialer.say(dialer.hello);
                run(hub, dialer);
                assertTrue(dialer.handshake.isDone(), "node " + nid);
                assertNotNull(agent(hub, Agents.index(nid, 2)).connection(nid).channel());
                assertEquals(1, agent(hub, Agents.index(nid, 2)).counters().linksMade.get());
            }
            assertEquals(2, NetworkAccess.agents(hub).links().count());
            assertEquals(2, hub.stats().linksOpen());
            assertEquals(List.of(1, 1), links(hub));
        }
    }

    @Test
    void greetingInPieces_movesAtItsEnd() throws IOException {
        try (Network hub = open(config())) {
            final Dialer dialer = accepted(hub, NID_OF_SECOND);
            for (byte one : dialer.hello) {
                dialer.say(new byte[] {one});
                NetworkAccess.agents(hub).all().forEach(Agent::doWork);
            }
            run(hub, dialer);
            assertTrue(dialer.handshake.isDone());
        }
    }

    @Test
    void peerThatEndsMeanwhile_isCountedAndRemoved() throws IOException {
        try (Network hub = open(config())) {
            final Dialer dialer = moving(hub);
            dialer.link.close();
            agent(hub, 1).doWork();
            agent(hub, 1).doWork();
            assertEquals(0, NetworkAccess.agents(hub).links().count());
            assertEquals(1, hub.stats().linksFailed());
            assertEquals(List.of(0, 0), links(hub));
        }
    }

    /** The time limit does not start anew. */
    @Test
    void peerThatIsSilent_isCutInTime() throws IOException {
        try (Network hub = open(config())) {
            final Dialer dialer = accepted(hub, NID_OF_SECOND);
            time.ns += SECOND * 8 / 10;
            dialer.say(dialer.hello);
            agent(hub, 0).doWork();
            agent(hub, 1).doWork();
            assertEquals(1, NetworkAccess.agents(hub).links().count());
            time.ns += SECOND * 3 / 10;
            agent(hub, 1).doWork();
            assertEquals(0, NetworkAccess.agents(hub).links().count());
        }
    }

    @Test
    void moreBehindHello_endsTheLink() throws IOException {
        try (Network hub = open(config())) {
            for (int more : new int[] {1, 8, 72, 100_000}) {
                final Dialer dialer = accepted(hub, NID_OF_SECOND);
                dialer.say(Arrays.copyOf(dialer.hello, dialer.hello.length + more));
                agent(hub, 0).doWork();
                dialer.transport.poll();
                assertTrue(dialer.isClosed, more + " bytes");
                assertEquals(0, NetworkAccess.agents(hub).links().count());
            }
            final Dialer later = moving(hub);
            later.say(new byte[72]);
            assertGone(hub, later);
        }
    }

    @Test
    void networkThatIsClosedMeanwhile_endsTheLink() throws IOException {
        final Network hub = open(config());
        final Dialer dialer = moving(hub);
        hub.close();
        assertEquals(0, NetworkAccess.agents(hub).links().count());
        dialer.transport.poll();
        assertTrue(dialer.isClosed || dialer.refusal == Refusal.CLOSING);
    }

    @Test
    void oldestOfTooMany_endsWhereverItIs() throws IOException {
        try (Network hub = open(config().greetingsMax(1))) {
            final Dialer oldest = moving(hub);
            final Dialer second = accepted(hub, NID_OF_FIRST);
            assertEquals(1, NetworkAccess.agents(hub).links().count());
            agent(hub, 1).doWork();
            oldest.transport.poll();
            oldest.transport.poll();
            assertTrue(oldest.isClosed);
            second.say(second.hello);
            run(hub, second);
            assertTrue(second.handshake.isDone());
        }
    }

    @Test
    void linksOfAllAgents_areSoManyAtMost() throws IOException {
        try (Network hub = open(config().linksMax(1))) {
            final Dialer one = accepted(hub, NID_OF_SECOND);
            one.say(one.hello);
            run(hub, one);
            assertTrue(one.handshake.isDone());
            final Dialer two = accepted(hub, NID_OF_FIRST);
            two.say(two.hello);
            run(hub, two);
            assertEquals(Refusal.TOO_MANY, two.refusal);
            assertEquals(1, NetworkAccess.agents(hub).links().count());
        }
    }
}
