package io.teff.cluster.net.agent;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a network with several agents keeps the promises of a network with one: each connection belongs to one agent,
 * whichever side dialed and however often its link breaks; messages arrive once and in the order of their lanes;
 * counters add up.
 *
 * <p>Method: 64 nodes that talk to one with four agents; half of them dial it, it dials the others; links are broken
 * meanwhile.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AgentsTest {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);
    private static final long LONG_NS = 60_000_000_000L;
    private static final int HUB = 1000;
    private static final int NODES = 64;
    private static final int AGENTS = 4;
    private static final int LANES = 3;
    private static final int COUNT = 300;
    private static final int CUTS = 50;

    private final String name = "loop:agents-test-" + NAMES.incrementAndGet() + "-";
    private final Map<Integer, Network> nodes = new ConcurrentHashMap<>();
    /** Number of messages received per lane; for a message from the hub the NID is negative. */
    private final Map<List<Integer>, AtomicLong> seen = new ConcurrentHashMap<>();
    private final AtomicLong seenCount = new AtomicLong();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private static boolean isDialedByHub(int nid) {
        return nid % 2 == 0;
    }

    /** Returns the address of a node; only one of the two sides knows it. */
    private @Nullable String address(int nid, int to) {
        return isDialedByHub(Math.min(nid, to)) == (nid == HUB) ? name + to : null;
    }

    private NetworkConfig.Builder config(int nid) {
        return NetworkConfig.builder(nid).listen(name + nid).addresses(to -> address(nid, to))
            .awayNs(LONG_NS).reachNs(LONG_NS).sendTimeoutNs(LONG_NS).requestTimeoutNs(LONG_NS).handlerThreads(1);
    }

    private void see(int stream, long content) {
        final int lane = (int) (content % LANES);
        final long number = seen.computeIfAbsent(List.of(stream, lane), _ -> new AtomicLong()).getAndIncrement();
        if (lane != 0 && number != content / LANES) {
            wrong.add("lane " + lane + " of " + stream + ": " + content / LANES + " comes after " + number);
        }
        seenCount.incrementAndGet();
    }

    private void await(String what, BooleanSupplier isThere) {
        Threads.await(what, () -> {
            assertEquals(List.of(), List.copyOf(wrong));
            return isThere.getAsBoolean();
        });
    }

    private Network openHub() throws IOException {
        final Network hub = Network.open(config(HUB).agents(AGENTS).build());
        hub.handle(NUMBERS, this::see);
        hub.answerShort(SQUARES, (from, number) -> {
            final String wanted = "teff-net-" + HUB + "-agent-" + Agents.index(from, AGENTS);
            if (!Thread.currentThread().getName().equals(wanted)) {
                wrong.add("node " + from + " is handled by " + Thread.currentThread().getName());
            }
            return number * number;
        });
        return hub;
    }

    private void openNodes(Network hub) throws IOException, InterruptedException {
        for (int nid = 1; nid <= NODES; nid++) {
            final int its = nid;
            final Network node = Network.open(config(nid).build());
            nodes.put(nid, node);
            node.handle(NUMBERS, (from, content) -> see(-its, content));
            node.answer(SQUARES, (from, number) -> number * number);
            if (isDialedByHub(nid)) {
                assertEquals(9, hub.call(nid, SQUARES, 3L));
            }
            assertEquals(16, node.call(HUB, SQUARES, 4L));
        }
    }

    /** Four threads send from the nodes, two from the hub. */
    private List<Thread> send(Network hub) {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            final int part = i;
            threads.add(Thread.ofPlatform().start(() -> {
                for (long content = 0; content < (long) COUNT * LANES; content++) {
                    for (int nid = 1; nid <= NODES; nid++) {
                        final int lane = (int) (content % LANES);
                        if (part < 4 && nid % 4 == part) {
                            nodes.get(nid).send(HUB, lane, NUMBERS, content);
                        } else if (part >= 4 && nid % 2 == part - 4) {
                            hub.send(nid, lane, NUMBERS, content);
                        }
                    }
                }
            }));
        }
        return threads;
    }

    private static void cut(Network hub, SplittableRandom random) {
        final int nid = random.nextInt(1, NODES + 1);
        final Agent agent = NetworkAccess.agents(hub).of(nid);
        final CompletableFuture<Boolean> done = new CompletableFuture<>();
        agent.post(() -> {
            final Channel channel = agent.connection(nid).channel();
            if (channel != null) {
                channel.fail(new IOException("planned"));
            }
            done.complete(true);
        });
        done.join();
    }

    @Test
    void manyNodes_haveTheirAgents() throws IOException, InterruptedException {
        final long all = 2L * NODES * COUNT * LANES;
        final Network hub = openHub();
        try {
            openNodes(hub);
            final List<Thread> threads = send(hub);
            final SplittableRandom random = new SplittableRandom(1);
            for (int i = 1; i <= CUTS; i++) {
                final long goal = all * i / (CUTS + 1);
                await(goal + " messages", () -> seenCount.get() >= goal);
                cut(hub, random);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            await("all messages", () -> seenCount.get() >= all && hub.stats().linksOpen() == NODES);
            assertEquals(List.of(), List.copyOf(wrong));
            assertEquals(all, seenCount.get());
            seen.forEach((stream, count) -> assertEquals(COUNT, count.get(), () -> "lane " + stream));
            checkAgents(hub);
            checkStats(hub, all / 2);
        } finally {
            nodes.values().forEach(Network::close);
            hub.close();
        }
        assertEquals(0, NetworkAccess.agents(hub).links().count());
    }

    private static void checkAgents(Network hub) {
        final List<Agent> agents = NetworkAccess.agents(hub).all();
        assertEquals(AGENTS, agents.size());
        for (int i = 0; i < AGENTS; i++) {
            int count = 0;
            for (Connection it : agents.get(i).connections()) {
                assertEquals(i, Agents.index(it.nid(), AGENTS), "node " + it.nid());
                count++;
            }
            assertTrue(count >= NODES / AGENTS - 2 && count <= NODES / AGENTS + 2, "agent " + i + " has " + count);
            assertTrue(agents.get(i).counters().linksMade.get() >= count, "links of agent " + i);
        }
    }

    private void checkStats(Network hub, long each) {
        await("all messages", () -> hub.stats().messagesHandled() == each + NODES);
        final NetworkStats stats = hub.stats();
        assertEquals(each, stats.messagesSent());
        assertEquals(NODES / 2, stats.requestsSent());
        assertEquals(NODES / 2, stats.requestsAnswered());
        assertEquals(NODES, stats.sessionsBegun(), stats::toString);
        assertEquals(0, stats.sessionsLost(), stats::toString);
        assertEquals(stats.linksMade(), stats.sessionsBegun() + stats.sessionsResumed(), stats::toString);
        assertTrue(stats.sessionsResumed() > 0, stats::toString);
        assertEquals(nodes.keySet().stream().mapToLong(nid -> hub.stats(nid).messagesReceived()).sum(),
            each + NODES + NODES / 2);
    }

    @Test
    void nids_areSpreadEvenly() {
        for (int agents = 1; agents <= 64; agents++) {
            assertTrue(mostOfOne(agents, 1) <= NODES / agents + 2, agents + " agents");
        }
        for (int stride : new int[] {2, 4, 16, 100, 1000}) {
            for (int agents = 1; agents <= 16; agents++) {
                assertTrue(mostOfOne(agents, stride) <= 2 * NODES / agents + 2, agents + " agents, stride " + stride);
            }
        }
    }

    private static int mostOfOne(int agents, int stride) {
        final int[] counts = new int[agents];
        for (int i = 0; i < NODES; i++) {
            counts[Agents.index(1 + i * stride, agents)]++;
        }
        return Arrays.stream(counts).max().orElseThrow();
    }

    @Test
    void numberOfAgents_hasARange() {
        for (int count : new int[] {-1, 0, 65}) {
            assertThrows(IllegalArgumentException.class, () -> NetworkConfig.builder(1).agents(count));
        }
        assertEquals(64, NetworkConfig.builder(1).agents(64).build().agents());
        assertEquals(1, NetworkConfig.builder(1).build().agents());
    }
}
