package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.net.NetworkContract;
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
final class AgentsTlsNetworkTest extends NetworkContract {
    private static final TlsKeys KEYS = TlsKeys.make();
    private static final SSLContext CONTEXT = KEYS.trusting(KEYS);
    private static final RequestType<byte[], byte[]> ECHO = RequestType.of(9, Codecs.BYTES, Codecs.BYTES);
    private static final int PEERS = 6;
    private static final int TURNS = 60;
    private static final int AT_ONCE = 4;
    private static final int BYTES = 50_000;

    @Override
    protected NetworkConfig.Builder config(int nid) {
        return super.config(nid).tls(CONTEXT).agents(3);
    }

    @Override
    protected String listenAt(int nid) {
        return "tcp:127.0.0.1:0";
    }

    @Override
    protected String nobody() {
        return "tcp:127.0.0.1:1";
    }

    /** All agents of a node have links, and each agent has its own TLS buffers. */
    @Test
    void linksOfAllAgents_thatAreBusyAtOnce_standAndCarryTheirOwnBytes() throws IOException {
        final List<Network> peers = new ArrayList<>();
        try (Network hub = open(config(1))) {
            hub.answer(ECHO, (from, bytes) -> bytes);
            for (int i = 0; i < PEERS; i++) {
                peers.add(open(config(2 + i)));
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
