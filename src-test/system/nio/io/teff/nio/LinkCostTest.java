package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: closed links leave nothing behind, and idle links cost little.
 *
 * <p>Method: many plain peers of one node; threads, descriptors and memory are counted before and afterwards. {@code
 * -Dteff.links=N} for more links.
 */
@Tag("system")
final class LinkCostTest {
    private static final int LINKS = Integer.getInteger("teff.links", 1000);
    /** Number of closed links: enough to detect a leak of one object per link. */
    private static final int CLOSED = Math.max(LINKS, Form.size(3000, 10_000));
    private static final int WARM = 50;
    private static final int IDLE = 1000;
    private static final int HALF_OPEN = 256;
    private static final int TLS_HEAD_BYTES = 5;
    private static final String LONGEST = "half of a long message";
    private static final int NIDS = 16;
    private static final int FIRST = 100;
    private static final long KIB = 1024;
    private static final long COST_MAX = 64 * KIB;
    private static final long NETWORK_COST_MAX = 32 * KIB;
    private static final long SECOND = 1_000_000_000;
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);

    private static NetworkConfig.Builder config() {
        return NetworkConfig.builder(1).listen("tcp:127.0.0.1:0").secret(HostilePeer.SECRET)
            .silenceNs(600 * SECOND).greetingNs(600 * SECOND).awayNs(SECOND / 10);
    }

    private static Network open() throws IOException {
        return Network.open(config().build());
    }

    private static int port(Network network) {
        final String address = network.addresses().getFirst();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
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
        try (Network network = open()) {
            final int port = port(network);
            network.handle(NUMBERS, (from, number) -> { });
            for (int i = 0; i < WARM; i++) {
                link(port, i);
            }
            final long threads = Usage.threads();
            final long memory = Usage.settled();
            final long descriptors = Usage.descriptors();
            for (int i = 0; i < CLOSED; i++) {
                link(port, i);
            }
            final long left = Usage.await(Usage::descriptors, descriptors + 2, "descriptors");
            final long more = Usage.await(Usage::memory, memory + 2 * KIB * KIB, "bytes") - memory;
            Usage.await(Usage::threads, threads, "threads");
            System.out.println("LinkCostTest: " + CLOSED + " links, " + (left - descriptors) + " more descriptors, "
                + more / KIB + " KiB more memory");
        }
    }

    @Test
    void closedNetworks_leaveNothingBehind() throws IOException {
        open().close();
        final long threads = Usage.threads();
        final long descriptors = Usage.descriptors();
        for (int i = 0; i < 20; i++) {
            try (Network network = open(); HostilePeer peer = HostilePeer.proved(port(network), FIRST)) {
                network.send(FIRST, NUMBERS, 1L);
                peer.hearFrame();
            }
        }
        Usage.await(Usage::descriptors, descriptors + 2, "descriptors");
        Usage.await(Usage::threads, threads, "threads");
    }

    private static void assertCost(String what, int count, long before) {
        assertCost(what, count, before, COST_MAX / 2);
    }

    private static void assertCost(String what, int count, long before, long most) {
        Usage.await(Usage::memory, before + count * most, "bytes of " + what);
        final long each = (Usage.settled() - before) / count;         // rings go back after a second
        System.out.println(String.format(Locale.ROOT, "LinkCostTest: %,d %s, %,d bytes each", count, what, each));
        assertTrue(each < most, what + " have " + each + " bytes each");
    }

    @Test
    void idleLinks_costLittleAndDeliver() throws IOException, InterruptedException {
        final List<HostilePeer> peers = new ArrayList<>();
        try (Network network = open()) {
            final CountDownLatch left = new CountDownLatch(IDLE);
            network.handle(NUMBERS, (from, number) -> left.countDown());
            HostilePeer.proved(port(network), FIRST - 1).close();
            final long before = Usage.settled();
            for (int i = 0; i < IDLE; i++) {
                final HostilePeer peer = HostilePeer.proved(port(network), FIRST + i);
                network.send(FIRST + i, NUMBERS, 1L);
                peers.add(peer);
            }
            for (HostilePeer peer : peers) {
                peer.hearFrame();
                peer.say(HostilePeer.progress(24, 1 << 20));
            }
            assertCost("idle links", IDLE, before);
            for (int i = 0; i < IDLE; i++) {
                network.send(FIRST + i, NUMBERS, 2L);
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
    private static List<HostilePeer> talk(Network network, int first) throws IOException {
        final List<HostilePeer> peers = new ArrayList<>();
        for (int nid = first; nid < first + IDLE; nid++) {
            final HostilePeer peer = HostilePeer.proved(port(network), nid, HostilePeer.REST);
            network.send(nid, NUMBERS, 1L);
            peer.hearFrame();
            peer.say(HostilePeer.progress(24, 1 << 20));
            peers.add(peer);
        }
        Usage.await(() -> network.stats().ringBytes(), 0, "bytes of rings");   // a second after the last message
        return peers;
    }

    @Test
    void restingConnections_costLittle() throws IOException {
        try (Network network = Network.open(config().linksMax(IDLE).addresses(_ -> "tcp:127.0.0.1:1").build())) {
            final List<HostilePeer> peers = talk(network, FIRST);
            final long before = Usage.settled();
            final List<HostilePeer> more = talk(network, FIRST + IDLE);
            for (HostilePeer peer : peers) {
                peer.awaitCut("rest");
                peer.close();
            }
            peers.clear();
            assertEquals(IDLE, network.stats().connectionsResting(), network.stats()::toString);
            assertCost("resting connections", IDLE, before);
            for (HostilePeer peer : more) {
                peer.close();
            }
        }
    }

    @Test
    void halfOpenLinks_costLittle() throws IOException {
        final List<HostilePeer> peers = new ArrayList<>();
        try (Network network = open()) {
            HostilePeer.connect(port(network)).greet(FIRST, 1).close();
            final long before = Usage.settled();
            for (int i = 0; i < HALF_OPEN; i++) {
                final HostilePeer peer = HostilePeer.connect(port(network)).greet(FIRST, 1);
                peer.say(new byte[7]);
                peers.add(peer);
            }
            assertCost("half-open links", HALF_OPEN, before);
        }
        for (HostilePeer peer : peers) {
            peer.close();
        }
    }

    // ---- with TLS ----

    private static byte[] record(int length, byte[] bytes, int from, int count) {
        return ByteBuffer.allocate(TLS_HEAD_BYTES + count).put((byte) 22).putShort((short) 0x0303)
            .putShort((short) length).put(bytes, from, count).array();
    }

    /** All but the last byte of a message of maximum length, and half of a record behind it. */
    private static byte[] halfMessage() {
        final byte[] message = new byte[32_003];
        ByteBuffer.wrap(message).putInt(1 << 24 | message.length - 3);
        final int whole = 1 << 14;
        return HostilePeer.join(record(whole, message, 0, whole),
            record(message.length - whole, message, whole, message.length - whole), record(whole, message, 0, 8000));
    }

    private static byte[] hello(SSLContext context) throws SSLException {
        final SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        final ByteBuffer to = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), to);
        return Arrays.copyOf(to.array(), to.position());
    }

    /** The cost of a link is that of its TLS engine and of a partial record; no peer presents a certificate here. */
    @Test
    void halfOpenTlsLinks_costLittle() throws IOException {
        final TlsKeys keys = TlsKeys.make();
        final SSLContext context = keys.trusting(keys);
        final Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("silent", new byte[0]);
        all.put("first byte", new byte[] {22});
        all.put("HELLO of TLS", hello(context));
        all.put(LONGEST, halfMessage());
        for (Map.Entry<String, byte[]> it : all.entrySet()) {
            final List<HostilePeer> peers = new ArrayList<>();
            try (Network network = Network.open(config().tls(context).build())) {
                for (int i = 0; i < WARM; i++) {
                    tlsPeer(network, it.getValue()).close();
                }
                awaitTurn(network);
                final long before = Usage.settled();
                for (int i = 1; i < HALF_OPEN; i++) {
                    peers.add(tlsPeer(network, it.getValue()));
                }
                awaitTurn(network);
                assertCost("half-open links of TLS: " + it.getKey(), HALF_OPEN - 1, before, COST_MAX);
                if (it.getKey().equals(LONGEST)) {
                    peers.getFirst().say(new byte[2000]);
                    peers.getFirst().awaitCut("42,000 bytes of a handshake");
                }
            }
            for (HostilePeer peer : peers) {
                peer.close();
            }
        }
    }

    /** All bytes sent before have been read when two peers that sent wrong bytes later are cut off. */
    private static void awaitTurn(Network network) throws IOException {
        for (int i = 0; i < 2; i++) {
            try (HostilePeer last = HostilePeer.connect(port(network))) {
                last.say(new byte[100]);
                last.awaitCut("no TLS");
            }
        }
    }

    private static HostilePeer tlsPeer(Network network, byte[] said) throws IOException {
        final HostilePeer peer = HostilePeer.connect(port(network));
        peer.say(said);
        if (said.length > 1 && said.length < 1 << 12) {
            peer.socket.getInputStream().read();                // of the answer to a HELLO
        }
        return peer;
    }

    /** A network allocates memory for a type, request or message with its first use only. */
    @Test
    void networks_thatAreIdle_costLittle() throws IOException {
        final List<Network> networks = new ArrayList<>();
        try (Network first = open()) {
            final long memory = Usage.settled();
            for (int i = 0; i < WARM; i++) {
                final Network network = Network.open(NetworkConfig.builder(2 + i).handlers(Runnable::run).build());
                network.handle(NUMBERS, (from, number) -> { });
                networks.add(network);
            }
            final long each = (Usage.settled() - memory) / WARM;
            System.out.println("LinkCostTest: a network that nobody uses, " + each + " bytes beside " + first.nid());
            assertTrue(each < NETWORK_COST_MAX, each + " bytes");
        } finally {
            networks.forEach(Network::close);
        }
    }
}
