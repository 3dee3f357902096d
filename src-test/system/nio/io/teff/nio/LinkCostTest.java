package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.HostilePeer;
import io.teff.test.net.LinkCostContract;
import io.teff.test.net.Usage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of links over TCP, also with TLS. {@code -Dteff.links=N} for more links. */
@FullTier("thousands of links, and threads, descriptors and memory of a process; LinkLimitTest and TcpRestTest count "
    + "links")
@Tag("system")
@Tag("processes")
final class LinkCostTest extends LinkCostContract {
    private static final int LINKS = Integer.getInteger("teff.links", 1000);
    private static final int TLS_HEAD_BYTES = 5;
    private static final String LONGEST = "half of a long message";
    private static final long NETWORK_COST_MAX = 32 * 1024;
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);

    @Override
    protected String listenAt() {
        return "tcp:127.0.0.1:0";
    }

    @Override
    protected int closedLinks() {
        return Math.max(LINKS, Form.size(3000, 10_000));
    }

    @Override
    protected int idleLinks() {
        return 1000;
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
        if (Form.isLong()) {
            all.put("silent", new byte[0]);
            all.put("first byte", new byte[] {22});
        }
        all.put("HELLO of TLS", hello(context));
        all.put(LONGEST, halfMessage());
        for (Map.Entry<String, byte[]> it : all.entrySet()) {
            final List<HostilePeer> peers = new ArrayList<>();
            try (Node node = open(config().tls(context))) {
                for (int i = 0; i < WARM; i++) {
                    tlsPeer(node, it.getValue()).close();
                }
                awaitTurn(node);
                final long before = Usage.settled();
                for (int i = 1; i < HALF_OPEN; i++) {
                    peers.add(tlsPeer(node, it.getValue()));
                }
                awaitTurn(node);
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
    private static void awaitTurn(Node node) throws IOException {
        for (int i = 0; i < 2; i++) {
            try (HostilePeer last = HostilePeer.connect(node.port())) {
                last.say(new byte[100]);
                last.awaitCut("no TLS");
            }
        }
    }

    private static HostilePeer tlsPeer(Node node, byte[] said) throws IOException {
        final HostilePeer peer = HostilePeer.connect(node.port());
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
        try (Node first = open(config())) {
            final long memory = Usage.settled();
            for (int i = 0; i < WARM; i++) {
                final Network network = Network.open(NetworkConfig.builder(2 + i).handlers(Runnable::run).build());
                network.handle(NUMBERS, (from, number) -> { });
                networks.add(network);
            }
            final long each = (Usage.settled() - memory) / WARM;
            System.out.println("LinkCostTest: a network that nobody uses, " + each + " bytes beside "
                + first.network().nid());
            assertTrue(each < NETWORK_COST_MAX, each + " bytes");
        } finally {
            networks.forEach(Network::close);
        }
    }
}
