package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import io.teff.test.net.HostilePeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Goal: links without a greeting are limited over all agents of a network, and close ends links in any state.
 *
 * <p>Method: peers over plain sockets that stop at any point, also when their link moves from one agent to another.
 */
final class AgentsHostileTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final long LONG_NS = 60_000_000_000L;
    private static final int AGENTS = 3;
    private static final int NID = 50;

    private static NetworkConfig.Builder config() {
        return NetworkConfig.builder(1).listen("tcp:127.0.0.1:0").secret(HostilePeer.SECRET).agents(AGENTS)
            .greetingNs(LONG_NS).silenceNs(LONG_NS).reachNs(LONG_NS).lingerNs(0);
    }

    private static int port(Network network) {
        final String address = network.addresses().getFirst();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private static void await(Network network, Predicate<NetworkStats> isThere) {
        Threads.await(60, () -> network.stats().toString(), () -> isThere.test(network.stats()));
    }

    @Test
    void halfOpenLinks_ofAllAgents_areLimited() throws IOException {
        final int most = 30;
        final int all = 100;
        final List<HostilePeer> peers = new ArrayList<>();
        try (Network network = Network.open(config().greetingsMax(most).build())) {
            for (int i = 0; i < all; i++) {
                final HostilePeer peer = HostilePeer.connect(port(network));
                peers.add(peer);
                switch (i % 3) {
                    case 0 -> peer.greet(NID + i, 1);
                    case 1 -> peer.say(Arrays.copyOf(HostilePeer.hello(NID + i, 1, 1), i % HostilePeer.HELLO_BYTES));
                    default -> { }
                }
            }
            for (HostilePeer peer : peers.subList(0, all - most)) {
                peer.awaitCut("peer " + peers.indexOf(peer) + ", one of the oldest");
            }
            for (int i = all - most; i < all; i++) {
                if (i % 3 == 0) {
                    assertFalse(peers.get(i).prove(NID + i, 0, 1 << 20, 0), "peer " + i);
                }
            }
            await(network, stats -> stats.linksOpen() == most / 3);
        } finally {
            for (HostilePeer peer : peers) {
                peer.close();
            }
        }
    }

    /** Peers that end after their HELLO, so that their links end while they move. */
    @Test
    void peersThatEndAfterHello_leaveNothingBehind() throws IOException {
        try (Network network = Network.open(config().greetingsMax(8).build())) {
            final int all = 300;
            for (int i = 0; i < all; i++) {
                try (HostilePeer peer = HostilePeer.connect(port(network))) {
                    if (i % 2 == 0) {
                        peer.socket.setSoLinger(true, 0);       // a reset
                    }
                    peer.say(HostilePeer.hello(NID + i, 1, 1));
                }
            }
            await(network, stats -> stats.linksFailed() == all);
            for (int nid = NID; nid < NID + AGENTS * 2; nid++) {
                HostilePeer.proved(port(network), nid).close();
            }
        }
    }

    @Test
    void close_endsLinksInEachState() throws IOException {
        for (int round = 0; round < 10; round++) {
            final List<HostilePeer> peers = new ArrayList<>();
            try (ServerSocket trap = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
                final Network network = Network.open(config().addresses(_ -> "tcp:127.0.0.1:" + trap.getLocalPort())
                    .build());
                for (int i = 0; i < 30; i++) {
                    peers.add(peer(port(network), i, round));
                }
                for (int nid = 2; nid < 2 + AGENTS * 2; nid++) {
                    network.send(nid, NUMBERS, 1L);             // dialed, without an answer
                }
                network.close();
                for (HostilePeer peer : peers) {
                    peer.awaitCut("peer " + peers.indexOf(peer) + " of round " + round);
                }
                assertTrue(Thread.getAllStackTraces().keySet().stream().noneMatch(it ->
                    it.getName().startsWith("teff-net-1-agent-")), "a thread runs on");
            } finally {
                for (HostilePeer peer : peers) {
                    peer.close();
                }
            }
        }
    }

    private static HostilePeer peer(int port, int number, int round) throws IOException {
        final int nid = NID + number;
        return switch (number % 5) {
            case 0 -> HostilePeer.connect(port);
            case 1 -> HostilePeer.connect(port).greet(nid, 1);
            case 2 -> HostilePeer.proved(port, nid);
            case 3 -> {
                final HostilePeer half = HostilePeer.connect(port);
                half.say(Arrays.copyOf(HostilePeer.hello(nid, 1, 1), 1 + number));
                yield half;
            }
            default -> {
                final HostilePeer moving = HostilePeer.connect(port);
                moving.say(HostilePeer.hello(nid, 1, round));
                yield moving;
            }
        };
    }
}
