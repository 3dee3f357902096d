package io.teff.test.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: closed links leave nothing behind, and idle links cost little, over the transport of the subclass.
 *
 * <p>Method: many plain peers of one node, through a {@link Relay} where sockets are not its transport; threads,
 * descriptors and memory, also those of the relay, are counted before and afterwards.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class LinkCostContract {
    /** Links after which all code has run. */
    protected static final int WARM = 50;
    /** Links that have not greeted. */
    protected static final int HALF_OPEN = 256;
    /** Most bytes of a link. */
    protected static final long COST_MAX = 64 * 1024;

    private static final int NIDS = 16;
    private static final int FIRST = 100;
    private static final long KIB = 1024;
    private static final long SECOND = 1_000_000_000;
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);

    /** {@return the address at which the node listens} */
    protected abstract String listenAt();

    /** {@return the number of closed links: enough to detect a leak of one object per link} */
    protected abstract int closedLinks();

    /** {@return the number of idle links} */
    protected abstract int idleLinks();

    /** {@return the configuration of the node} */
    protected final NetworkConfig.Builder config() {
        return NetworkConfig.builder(1).listen(listenAt()).secret(HostilePeer.SECRET)
            .silenceNs(600 * SECOND).greetingNs(600 * SECOND).awayNs(SECOND / 10);
    }

    /** The node, and the port at which plain peers reach it. */
    protected record Node(Network network, Relay relay, int port) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            network.close();
            relay.close();
        }
    }

    /** {@return an open node} */
    protected final Node open(NetworkConfig.Builder config) throws IOException {
        final Network network = Network.open(config.build());
        final Relay relay = new Relay(listenAt());
        return new Node(network, relay, relay.to(network.addresses().getFirst()));
    }

    private void print(String format, Object... arguments) {
        System.out.println(getClass().getSimpleName() + ": " + String.format(Locale.ROOT, format, arguments));
    }

    // ---- tests ----

    /** Opens one link, which ends in one of many ways. */
    private static void link(int port, int number) throws IOException {
        try (HostilePeer peer = HostilePeer.connect(port)) {
            switch (number % 6) {
                case 0 -> { }
                case 1 -> peer.socket.setSoLinger(true, 0);     // a reset
                case 2 -> peer.say(Arrays.copyOf(HostilePeer.hello(FIRST, 1, 1), 50));
                case 3 -> peer.greet(FIRST, 1);
                case 4 -> {
                    peer.say(new byte[100]);
                    peer.awaitCut("zeros");
                }
                default -> {
                    peer.greet(FIRST + number % NIDS, number).prove(number, 0, 1 << 20, 0);
                    peer.say(HostilePeer.frame(0, 1, 0, 0, 0, 8));
                }
            }
        }
    }

    @Test
    void closedLinks_leaveNothingBehind() throws IOException {
        try (Node node = open(config())) {
            node.network.handle(NUMBERS, (from, number) -> { });
            for (int i = 0; i < WARM; i++) {
                link(node.port, i);
            }
            final long threads = Usage.threads();
            final long memory = Usage.settled();
            final long descriptors = Usage.descriptors();
            final int all = WARM + closedLinks();
            for (int i = WARM; i < all; i++) {
                link(node.port, i);
            }
            final long left = Usage.await(Usage::descriptors, descriptors + 2, "descriptors");
            final long more = Usage.await(Usage::memory, memory + 2 * KIB * KIB, "bytes") - memory;
            Usage.await(Usage::threads, threads, "threads");
            print("%,d links, %d more descriptors, %,d KiB more memory", closedLinks(), left - descriptors, more / KIB);
        }
    }

    @Test
    void closedNetworks_leaveNothingBehind() throws IOException {
        open(config()).close();
        final long threads = Usage.threads();
        final long descriptors = Usage.descriptors();
        for (int i = 0; i < 20; i++) {
            try (Node node = open(config()); HostilePeer peer = HostilePeer.proved(node.port, FIRST)) {
                node.network.send(FIRST, NUMBERS, 1L);
                peer.hearFrame();
            }
        }
        Usage.await(Usage::descriptors, descriptors + 2, "descriptors");
        Usage.await(Usage::threads, threads, "threads");
    }

    private void assertCost(String what, int count, long before) {
        assertCost(what, count, before, COST_MAX / 2);
    }

    /** Checks the memory of some links. */
    protected final void assertCost(String what, int count, long before, long most) {
        Usage.await(Usage::memory, before + count * most, "bytes of " + what);
        final long each = (Usage.settled() - before) / count;         // rings go back after a second
        print("%,d %s, %,d bytes each", count, what, each);
        assertTrue(each < most, what + " have " + each + " bytes each");
    }

    @Test
    void idleLinks_costLittleAndDeliver() throws IOException, InterruptedException {
        final int count = idleLinks();
        final List<HostilePeer> peers = new ArrayList<>();
        try (Node node = open(config())) {
            final CountDownLatch left = new CountDownLatch(count);
            node.network.handle(NUMBERS, (from, number) -> left.countDown());
            HostilePeer.proved(node.port, FIRST - 1).close();
            final long before = Usage.settled();
            for (int i = 0; i < count; i++) {
                final HostilePeer peer = HostilePeer.proved(node.port, FIRST + i);
                node.network.send(FIRST + i, NUMBERS, 1L);
                peers.add(peer);
            }
            for (HostilePeer peer : peers) {
                peer.hearFrame();
                peer.say(HostilePeer.progress(24, 1 << 20));
            }
            assertCost("idle links", count, before);
            for (int i = 0; i < count; i++) {
                node.network.send(FIRST + i, NUMBERS, 2L);
                peers.get(i).hearFrame();
                peers.get(i).say(HostilePeer.frame(0, 1, 0, 0, 0, 8));
            }
            assertTrue(left.await(60, TimeUnit.SECONDS), left.getCount() + " messages have not come");
        }
        for (HostilePeer peer : peers) {
            peer.close();
        }
    }

    /** Creates peers that have received a message, with links that may rest. */
    private static List<HostilePeer> talk(Node node, int first, int count) throws IOException {
        final List<HostilePeer> peers = new ArrayList<>();
        for (int nid = first; nid < first + count; nid++) {
            final HostilePeer peer = HostilePeer.proved(node.port, nid, HostilePeer.REST);
            node.network.send(nid, NUMBERS, 1L);
            peer.hearFrame();
            peer.say(HostilePeer.progress(24, 1 << 20));
            peers.add(peer);
        }
        Usage.await(() -> node.network.stats().ringBytes(), 0, "bytes of rings");   // a second after the last message
        return peers;
    }

    @Test
    void restingConnections_costLittle() throws IOException {
        final int count = idleLinks();
        try (Node node = open(config().linksMax(count).addresses(_ -> listenAt().replaceFirst(":0", ":1")))) {
            final List<HostilePeer> peers = talk(node, FIRST, count);
            final long before = Usage.settled();
            final List<HostilePeer> more = talk(node, FIRST + count, count);
            for (HostilePeer peer : peers) {
                peer.awaitCut("rest");
                peer.close();
            }
            peers.clear();
            // a peer may see the end of its link before it is counted
            Usage.await(() -> count - node.network.stats().connectionsResting(), 0, "connections that do not rest");
            assertEquals(count, node.network.stats().connectionsResting(), node.network.stats()::toString);
            assertCost("resting connections", count, before);
            for (HostilePeer peer : more) {
                peer.close();
            }
        }
    }

    @Test
    void halfOpenLinks_costLittle() throws IOException {
        final List<HostilePeer> peers = new ArrayList<>();
        try (Node node = open(config())) {
            HostilePeer.connect(node.port).greet(FIRST, 1).close();
            final long before = Usage.settled();
            for (int i = 0; i < HALF_OPEN; i++) {
                final HostilePeer peer = HostilePeer.connect(node.port).greet(FIRST, 1);
                peer.say(new byte[7]);
                peers.add(peer);
            }
            assertCost("half-open links", HALF_OPEN, before);
        }
        for (HostilePeer peer : peers) {
            peer.close();
        }
    }
}
