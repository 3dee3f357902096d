package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import io.teff.test.net.Usage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: networks keep their contract over TLS, and only peers with a trusted key can join.
 *
 * <p>Method: the contract of networks with TLS; peers with untrusted keys, without a key, and with an older version; a
 * relay that records the bytes on the wire, with TLS and without.
 */
final class TlsNetworkTest implements EachTransport {
    private static final TlsKeys KEYS = TlsKeys.make();
    private static final TlsKeys OTHER = TlsKeys.make();
    private static final SSLContext CONTEXT = KEYS.trusting(KEYS);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(9, Codecs.BYTES, Codecs.BYTES);
    /** Long enough for a handshake on a busy machine; a dial that is refused goes on until it is over. */
    private static final long REACH_NS = 1_000_000_000;
    private static final int REFUSALS = Form.size(1, 2, 2);
    private static final int KEY_UPDATES = 20_000;
    private static final long HOUR_NS = 3_600_000_000_000L;

    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at("tcp:127.0.0.1:0", "tcp:127.0.0.1:1").with(it -> it.tls(CONTEXT));
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    private static void assertRefused(Network from) {
        final var future = from.request(1, ECHO, new byte[1]);
        final var thrown = assertThrows(CompletionException.class, future::join);
        final Reason reason = ((NetworkException) thrown.getCause()).reason();
        assertTrue(reason == Reason.MISFIT || reason == Reason.REFUSED, thrown::toString); // an end may overtake it
    }

    @Test
    void untrustedPeers_cannotJoin() throws IOException, InterruptedException {
        try (Network one = nodes.open(nodes.config(1)); Network friend = nodes.open(nodes.config(2));
             Network unknown = nodes.open(nodes.config(3).tls(OTHER.trusting(KEYS)).reachNs(REACH_NS));
             Network wary = nodes.open(nodes.config(4).tls(KEYS.trusting(OTHER)).reachNs(REACH_NS));
             Network silent = nodes.open(nodes.config(5).tls(TlsKeys.without(KEYS)).reachNs(REACH_NS));
             Network plain = nodes.open(nodes.plain(6).reachNs(REACH_NS))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            for (Network stranger : new Network[] {unknown, wary, silent, plain}) {
                assertRefused(stranger);
            }
            assertArrayEquals(new byte[3], friend.call(1, ECHO, new byte[3]));
        }
    }

    /** The dialing and the accepting node. */
    @Test
    void incompatibleTls_isReportedToItsNode() throws IOException, InterruptedException {
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void refused(int nid, String peer, String why) {
                told.add(nid + " " + why);
            }
        };
        try (Network plain = nodes.open(nodes.plain(1));
             Network one = nodes.open(nodes.config(2).listener(listener).reachNs(REACH_NS));
             Network unknown = nodes.open(nodes.config(3).tls(OTHER.trusting(KEYS)).reachNs(REACH_NS))) {
            assertRefused(one);
            final String first = told.take();
            assertTrue(first.startsWith("1 ") && first.contains("SSL"), first);
            told.clear();
            final var future = unknown.request(2, ECHO, new byte[1]);
            assertThrows(CompletionException.class, future::join);
            final String second = told.take();
            assertTrue(second.startsWith("-1 ") && second.contains("SSL"), second);
            assertEquals(0, plain.stats().linksOpen());
        }
    }

    /** Known at the first dial: the time allowed for a silent node is an hour. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tlsOfOneNode_isAMisfitAtOnce(boolean isDialer) throws IOException {
        try (Network one = nodes.open(isDialer ? nodes.plain(1) : nodes.config(1));
             Network two = nodes.open((isDialer ? nodes.config(2) : nodes.plain(2)).reachNs(HOUR_NS))) {
            assertEquals(0, one.stats().linksOpen());
            final var future = two.request(1, ECHO, new byte[1]);
            final var thrown = assertThrows(CompletionException.class, future::join);
            assertEquals(Reason.MISFIT, ((NetworkException) thrown.getCause()).reason(), thrown::toString);
            assertTrue(thrown.getMessage().contains("all nodes and clients need TLS, or none"), thrown::toString);
        }
    }

    /** A caller may have found another link, or only checks whether the port is open. */
    @Test
    void callerThatEndsInTheHandshake_isNotReported() throws IOException {
        final List<String> told = new CopyOnWriteArrayList<>();
        final NetworkListener listener = new NetworkListener() {
            @Override
            public void refused(int nid, String peer, String why) {
                told.add(why);
            }
        };
        try (Network one = nodes.open(nodes.config(1).listener(listener))) {
            final InetSocketAddress at = TcpAddress.parse(one.addresses().getFirst());
            try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
                socket.getOutputStream().write(22);             // the first byte of a HELLO
            }
            Usage.await(() -> 1 - one.stats().linksFailed(), 0, "links that do not end");
        }
        assertEquals(List.of(), told);                          // by a thread that has ended with its network
    }

    /** As dialer, and as acceptor. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void trustManagerThatThrows_endsItsLinkOnly(boolean isError) throws IOException, InterruptedException {
        try (Network one = nodes.open(nodes.config(1)); Network friend = nodes.open(nodes.config(2));
             Network rude = nodes.open(nodes.config(3).tls(KEYS.throwing(isError)).reachNs(REACH_NS))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            for (int i = 0; i < REFUSALS; i++) {
                assertRefused(rude);
                final var future = friend.request(3, ECHO, new byte[1], REACH_NS);
                assertThrows(CompletionException.class, future::join);
                assertArrayEquals(new byte[3], friend.call(1, ECHO, new byte[3]));
            }
        }
    }

    @Test
    void olderVersions_areRefused() throws IOException {
        try (Network one = nodes.open(nodes.config(1))) {
            final InetSocketAddress at = TcpAddress.parse(one.addresses().getFirst());
            try (SSLSocket socket =
                     (SSLSocket) CONTEXT.getSocketFactory().createSocket(at.getAddress(), at.getPort())) {
                socket.setEnabledProtocols(new String[] {"TLSv1.2"});
                assertThrows(IOException.class, socket::startHandshake);
            }
        }
    }

    @Test
    void secrets_areNotOnTheWire() throws IOException, InterruptedException {
        assertTrue(isSeen(nodes.plain(1), nodes.plain(2)), "the relay sees nothing at all");
        assertTrue(!isSeen(nodes.config(1), nodes.config(2)), "the relay sees what was to be secret");
    }

    /** Returns whether a relay between two nodes sees the text of a message. */
    private boolean isSeen(NetworkConfig.Builder first, NetworkConfig.Builder second)
        throws IOException, InterruptedException {
        final byte[] text = "nobody else may read this".getBytes(StandardCharsets.UTF_8);
        try (Network one = nodes.open(first); WireTap tap = new WireTap(TcpAddress.parse(one.addresses().getFirst()));
             Network two = nodes.open(second.addresses(nid -> tap.address()))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            assertArrayEquals(text, two.call(1, ECHO, text));
            return tap.hasSeen(text);
        }
    }

    /** Otherwise the error would appear at the first link only. */
    @Test
    void contextThatIsNotInitialized_isRefused() throws GeneralSecurityException {
        final SSLContext empty = SSLContext.getInstance("TLS");
        assertThrows(IllegalStateException.class, () -> nodes.config(1).tls(empty));
    }

    @Test
    void secretOfZeros_isNone() {
        assertThrows(IllegalArgumentException.class, () -> nodes.config(1).secret(new byte[16]));
    }

    /** Warnings that a handshake ignores: a peer without a certificate must not occupy the agent. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void floodOfWarnings_isCutOff() throws Exception {
        final byte[] warnings = new byte[7 << 10];
        for (int i = 0; i < warnings.length; i += 7) {
            System.arraycopy(new byte[] {21, 3, 3, 0, 2, 1, 10}, 0, warnings, i, 7);
        }
        try (Network one = nodes.open(nodes.config(1).greetingNs(HOUR_NS));
             Network two = nodes.open(nodes.config(2))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            final InetSocketAddress address = TcpAddress.parse(one.addresses().getFirst());
            for (int round = 0; round < 10; round++) {
                try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                    assertThrows(IOException.class, () -> {
                        while (true) {
                            socket.getOutputStream().write(warnings);
                        }
                    });
                }
                assertEquals(3, two.call(1, ECHO, new byte[3]).length);
            }
        }
    }

    /** Requests for new keys: a peer with a certificate but without the secret must not occupy the agent. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void floodOfKeyUpdates_isCutOff() throws Exception {
        try (Network one = nodes.open(nodes.config(1).greetingNs(HOUR_NS));
             Network two = nodes.open(nodes.config(2))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            final InetSocketAddress at = TcpAddress.parse(one.addresses().getFirst());
            try (SSLSocket socket =
                     (SSLSocket) CONTEXT.getSocketFactory().createSocket(at.getAddress(), at.getPort())) {
                assertThrows(IOException.class, () -> {
                    for (int i = 0; i < KEY_UPDATES; i++) {
                        socket.startHandshake();                // the first time; from then on it asks for new keys
                    }
                });
            }
            assertEquals(3, two.call(1, ECHO, new byte[3]).length);
        }
    }

    /**
     * A first message in a longer record than there may be, without a key: the engine wants to ask for one, and more
     * room for that.
     */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void longHello_isCutOff() throws Exception {
        final int recordBytes = 17_000;
        final byte[] start = HexFormat.of().parseHex("0303" + "11".repeat(32) + "00" + "00021301" + "0100");
        final byte[] extensions = HexFormat.of().parseHex("002b0003020304" + "000a00040002001d" + "000d000400020403"
            + "003300020000");
        final int extensionBytes = recordBytes - 4 - start.length - 2;
        final ByteBuffer hello = ByteBuffer.allocate(5 + recordBytes).put((byte) 22).putShort((short) 0x0301)
            .putShort((short) recordBytes).putInt(1 << 24 | recordBytes - 4).put(start)
            .putShort((short) extensionBytes).put(extensions).putShort((short) 21)
            .putShort((short) (extensionBytes - extensions.length - 4));
        try (Network one = nodes.open(nodes.config(1).greetingNs(HOUR_NS));
             Network two = nodes.open(nodes.config(2))) {
            one.answer(ECHO, (from, bytes) -> bytes);
            final InetSocketAddress address = TcpAddress.parse(one.addresses().getFirst());
            for (int round = 0; round < 3; round++) {
                try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                    socket.getOutputStream().write(hello.array());
                    assertTrue(socket.getInputStream().readAllBytes().length < recordBytes);
                }
                assertEquals(3, two.call(1, ECHO, new byte[3]).length);
            }
        }
    }
}
