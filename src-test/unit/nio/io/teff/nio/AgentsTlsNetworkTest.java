package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** The contract of networks with several agents each, over TLS. */
final class AgentsTlsNetworkTest implements EachTransport {
    private static final TlsKeys KEYS = TlsKeys.make();
    private static final SSLContext CONTEXT = KEYS.trusting(KEYS);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(9, Codecs.BYTES, Codecs.BYTES);
    private static final int PEERS = 6;
    private static final int TURNS = Form.size(20, 60, 60);
    private static final int AT_ONCE = 4;
    private static final int BYTES = 50_000;

    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at("tcp:127.0.0.1:0", "tcp:127.0.0.1:1").with(it -> it.tls(CONTEXT).agents(3));
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    /** All agents of a node have links, and each agent has its own TLS buffers. */
    @Test
    void linksOfAllAgents_thatAreBusyAtOnce_standAndCarryTheirOwnBytes() throws IOException {
        final List<Network> peers = new ArrayList<>();
        try (Network hub = nodes.open(nodes.config(1))) {
            hub.answer(ECHO, (from, bytes) -> bytes);
            for (int i = 0; i < PEERS; i++) {
                peers.add(nodes.open(nodes.config(2 + i)));
                peers.getLast().request(1, ECHO, new byte[1]).join();
            }
            final byte[] content = new byte[BYTES];
            new SplittableRandom(1).nextBytes(content);
            final Deque<CompletableFuture<byte[]>> answers = new ArrayDeque<>();
            for (int turn = 0; turn < TURNS; turn++) {
                for (Network peer : peers) {
                    answers.add(peer.request(1, ECHO, content));
                }
                while (answers.size() > (turn < TURNS - 1 ? AT_ONCE * PEERS : 0)) {
                    assertArrayEquals(content, answers.remove().join());
                }
            }
            assertEquals(0, hub.stats().linksLost());
            for (Network peer : peers) {
                assertEquals(0, peer.stats().linksLost());
            }
        } finally {
            peers.forEach(Network::close);
        }
    }
}
