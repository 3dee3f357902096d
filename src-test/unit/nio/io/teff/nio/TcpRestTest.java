package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Goal: nodes that talk to more peers than they may have links lose, duplicate and reorder nothing.
 *
 * <p>Method: networks with their own threads; in each round every network calls another one and waits for the answer.
 */
final class TcpRestTest {
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final long MINUTE = 60_000_000_000L;
    private static final int NODES = Form.size(40, 64, 64);
    private static final int LINKS_MAX = 8;
    private static final int ROUNDS = 16;

    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    private final List<Network> networks = new ArrayList<>();
    /** By receiver and sender. */
    private final Map<Integer, List<Long>> seen = new ConcurrentHashMap<>();
    private final CountDownLatch left = new CountDownLatch(NODES * ROUNDS * 2);

    private static int key(int by, int from) {
        return by * (NODES + 1) + from;
    }

    private void open(int nid) throws IOException {
        final Network network = Network.open(NetworkConfig.builder(nid).listen("tcp:127.0.0.1:0").addresses(book::get)
            .linksMax(LINKS_MAX).handlerThreads(1).reachNs(MINUTE).awayNs(MINUTE).silenceNs(MINUTE)
            .requestTimeoutNs(2 * MINUTE).lingerNs(0).build());
        network.handle(NUMBERS, (from, number) -> {
            seen.computeIfAbsent(key(nid, from), _ -> new ArrayList<>()).add(number);
            left.countDown();
        });
        network.answer(SQUARES, (from, number) -> number * number);
        book.put(nid, network.addresses().getFirst());
        networks.add(network);
    }

    @Test
    void nodesTalkingAroundInTurn_loseNothing() throws IOException, InterruptedException {
        try {
            for (int nid = 1; nid <= NODES; nid++) {
                open(nid);
            }
            for (int round = 1; round <= ROUNDS; round++) {
                final List<CompletableFuture<Long>> answers = new ArrayList<>();
                for (Network from : networks) {
                    final int to = (from.nid() - 1 + round) % NODES + 1;
                    from.send(to, 1, NUMBERS, (long) round);
                    answers.add(from.request(to, SQUARES, (long) round));
                    from.send(to, 1, NUMBERS, (long) -round);
                }
                for (CompletableFuture<Long> answer : answers) {
                    assertEquals((long) round * round, answer.join());
                }
                for (Network it : networks) {
                    assertTrue(it.stats().linksOpen() <= LINKS_MAX, it.stats()::toString);
                }
            }
            left.await();
            check();
        } finally {
            networks.forEach(Network::close);
        }
    }

    private void check() {
        long rested = 0;
        for (Network it : networks) {
            for (int round = 1; round <= ROUNDS; round++) {
                final int to = (it.nid() - 1 + round) % NODES + 1;
                assertEquals(List.of((long) round, (long) -round), seen.get(key(to, it.nid())),
                    "messages of node " + it.nid() + " to " + to);
            }
            final NetworkStats stats = it.stats();
            assertEquals(0, stats.sessionsLost(), stats::toString);
            rested += stats.linksRested();
        }
        assertTrue(rested > NODES * LINKS_MAX, "only " + rested + " links have rested");
    }
}
