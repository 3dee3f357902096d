package io.teff.cluster.net.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.NetworkAccess;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.loop.LoopProvider;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.engine.codec.schema.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a network of several agents that learns its cluster ends the links to nodes of other clusters at each agent, at
 * once, and keeps all other links. Method: in one thread and virtual time. Each agent has dialed two nodes of the own
 * cluster, and two of another cluster.
 */
final class IdentifiedAgentsTest {
    private static final int AGENTS = 3;
    private static final int HUB = 1;
    private static final int EACH = 4;
    private static final int SETTLE_STEPS = 100;
    private static final int WORK_STEPS = 10;
    private static final int STEPS_MAX = 10_000;
    private static final long STEP_NS = 20_000_000;
    private static final long LIMIT_NS = 60_000_000_000L;
    private static final ClusterId OWN = new ClusterId(7, 1, "a");
    private static final ClusterId OTHER = new ClusterId(7, 2, "b");
    private static final RequestType<Long, Long> NEXT = RequestType.of(3, Codecs.LONG, Codecs.LONG);

    private final StillNetworks networks = new StillNetworks(1_000_000_000);
    private final List<ClusterId> told = new ArrayList<>();
    private final List<Integer> callers = new ArrayList<>();
    private final List<Network> own = new ArrayList<>();
    private final List<Network> other = new ArrayList<>();
    private Network hub;

    @BeforeEach
    void linkAll() throws IOException {
        hub = NetworkAccess.make(networks.config(HUB).agents(AGENTS).listener(new NetworkListener() {
            @Override
            public void identified(ClusterId cluster) {
                told.add(cluster);
            }
        }).build(), networks, new SplittableRandom(HUB), Stream.generate(IdentifiedAgentsTest::transports)
            .limit(AGENTS).toList(), networks.nowNs);
        hub.answer(NEXT, (from, number) -> {
            callers.add(from);
            return number + 1;
        });
        int[] counts = new int[AGENTS];
        for (int nid = HUB + 1; own.size() + other.size() < AGENTS * EACH; nid++) {
            final int agent = Agents.index(nid, AGENTS);
            if (counts[agent] < EACH) {
                open(nid, counts[agent] % 2 == 0);
                counts[agent]++;
            }
        }
        settle();
        assertEquals(List.of(EACH, EACH, EACH), links(), "the hub has no cluster yet");
    }

    private static Transports transports() {
        return new Transports(Map.of("loop", () -> new LoopProvider().open(new TransportOptions(null))), false);
    }

    private void open(int nid, boolean isOwn) throws IOException {
        final Network node = networks.open(networks.config(nid).cluster(isOwn ? OWN : OTHER));
        node.answer(NEXT, (_, number) -> number + 1);
        (isOwn ? own : other).add(node);
        assertEquals("8", call(hub, nid));
    }

    @AfterEach
    void closeAll() {
        networks.close();
        hub.close();
    }

    // ---- steps ----

    private int work() {
        int work = networks.work();
        for (Agent agent : NetworkAccess.agents(hub).all()) {
            work += agent.doWork();
        }
        return work;
    }

    /** Works until no side owes the other side an acknowledgement. */
    private void settle() {
        for (int i = 0; i < SETTLE_STEPS; i++) {
            networks.nowNs += STEP_NS;
            work();
        }
    }

    private List<Integer> links() {
        return NetworkAccess.agents(hub).all().stream().map(it -> it.channels().size()).toList();
    }

    /** Returns the answer to 7, or why there is none. */
    private String call(Network from, int nid) {
        final CompletableFuture<Long> answer = from.request(nid, NEXT, 7L, LIMIT_NS);
        for (int i = 0; !answer.isDone(); i++) {
            assertTrue(i < STEPS_MAX, "a call does not end");
            work();
            networks.nowNs += STEP_NS;
        }
        return answer.handle((number, failure) -> failure == null ? String.valueOf(number) : failure.toString()).join();
    }

    // ---- the tests ----

    @Test
    void identify_endsTheLinksToOtherClusters_atEachAgent_withoutAMessage() {
        hub.identify(OWN);
        hub.identify(OWN);
        assertEquals(List.of(OWN), told);
        for (int i = 0; i < WORK_STEPS; i++) {                  // without any time for acknowledgements
            work();
        }
        assertEquals(List.of(EACH / 2, EACH / 2, EACH / 2), links());
    }

    @Test
    void identified_exchangesMessagesWithNodesOfTheOwnClusterOnly() {
        hub.identify(OWN);
        callers.clear();
        for (Network node : other) {
            for (String why : List.of(call(node, HUB), call(hub, node.nid()), call(node, HUB))) {
                assertTrue(why.contains("NetworkException"), why);
            }
        }
        assertEquals(List.of(), callers);
        for (Network node : own) {
            assertEquals("8", call(node, HUB));
            assertEquals("8", call(hub, node.nid()));
        }
        assertEquals(own.stream().map(Network::nid).toList(), callers);
        settle();
        assertEquals(List.of(EACH / 2, EACH / 2, EACH / 2), links());
        networks.audit();
        hub.audit();
    }
}
