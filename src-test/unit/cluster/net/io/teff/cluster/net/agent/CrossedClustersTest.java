package io.teff.cluster.net.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Form;
import io.teff.test.kit.Starts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: no message passes between nodes that know different clusters, whatever addresses are crossed, and whenever the
 * nodes learn their clusters. When the addresses are right again, all nodes of a cluster reach each other.
 *
 * <p>Method: two clusters whose nodes have the same NIDs, in one thread and virtual time, by seed. Some nodes know
 * their cluster from the beginning, like restarted ones; some learn it while they run, like superpeers of a new
 * cluster; some take it from the first called node, like clients and new peers. Each message has the cluster known to
 * its sender. The handler compares. A failure names its seed.
 */
final class CrossedClustersTest {
    private static final int SEEDS = Form.size(80, 2_000, 20_000);
    private static final int STEPS = 150;
    private static final int NIDS = 3;
    private static final long STEP_NS = 20_000_000;
    private static final MessageType<long[]> SENT = MessageType.of(1, Codecs.of(long[].class));
    private static final List<ClusterId> CLUSTERS = List.of(new ClusterId(7, 1, "a"), new ClusterId(7, 2, ""));

    /** Two clusters at crossed addresses. */
    private static final class World implements AutoCloseable {
        private final StillNetworks networks = new StillNetworks(1_000_000_000);
        private final Random random;
        /** By key: 10 times the cluster, and the NID. */
        private final Map<Integer, Network> nodes = new HashMap<>();
        /** Keys of the nodes that take their cluster from others. */
        private final List<Integer> adopting = new ArrayList<>();
        /** The home cluster and the NID that a node looks for, and the key that the node finds instead. */
        private final Map<Integer, Integer> crossed = new HashMap<>();
        private final List<String> wrong = new ArrayList<>();
        private int handled;

        World(long seed) throws IOException {
            random = new Random(seed);
            for (int home = 0; home < CLUSTERS.size(); home++) {
                for (int nid = 1; nid <= NIDS; nid++) {
                    begin(home, nid, random.nextInt(3));
                }
            }
        }

        private void begin(int home, int nid, int kind) throws IOException {
            final int key = home * 10 + nid;
            final ClusterId its = CLUSTERS.get(home);
            final NetworkConfig.Builder config = NetworkConfig.builder(nid).listen(networks.address(key))
                .addresses(called -> networks.address(crossed.getOrDefault(home * 10 + called, home * 10 + called)))
                .handlers(Runnable::run);
            if (kind == 0) {
                config.cluster(its);
            } else if (kind == 1) {
                config.cluster(ClusterId.expected(random.nextBoolean() ? its.name() : ""));
            } else {
                config.adoptsCluster(true).cluster(ClusterId.expected(random.nextBoolean() ? its.name() : ""));
                adopting.add(key);
            }
            final Network network = networks.open(config);
            nodes.put(key, network);
            network.handle(SENT, (from, sent) -> handled(key, from, sent));
        }

        private void handled(int key, int from, long[] sent) {
            handled++;
            final ClusterId own = network(key).cluster();
            final ClusterId its = new ClusterId(sent[0], sent[1], "");
            if (own.isKnown() && its.isKnown() && !own.isSame(its)) {
                wrong.add("node " + key + " of " + own + " handles a message of node " + from + " of " + its);
            }
        }

        Network network(int key) {
            return nodes.get(key);
        }

        private int anyKey() {
            return random.nextInt(CLUSTERS.size()) * 10 + 1 + random.nextInt(NIDS);
        }

        void step() {
            final int key = anyKey();
            switch (random.nextInt(8)) {
                case 0 -> crossed.put(key, anyKey() / 10 * 10 + key % 10);
                case 1 -> crossed.remove(key);
                case 2 -> {
                    if (!adopting.contains(key)) {
                        network(key).identify(CLUSTERS.get(key / 10));
                    }
                }
                default -> send(key, 1 + random.nextInt(NIDS));
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                networks.work();
                networks.nowNs += random.nextLong(STEP_NS);
            }
        }

        private void send(int key, int nid) {
            if (nid != key % 10) {
                final ClusterId its = network(key).cluster();
                try {
                    network(key).send(nid, SENT, new long[] {its.high(), its.low()});
                } catch (NetworkException _) {
                    return;                                     // refused before, or no room
                }
            }
        }

        /** Uncrosses the addresses; then each node reaches each node of its cluster that is at home there. */
        void end() {
            crossed.clear();
            for (int key : nodes.keySet()) {
                if (!adopting.contains(key)) {
                    network(key).identify(CLUSTERS.get(key / 10));
                }
            }
            settle();
            for (int key : nodes.keySet()) {
                for (int nid = 1; nid <= NIDS; nid++) {
                    if (nid != key % 10 && isAtHome(key) && isAtHome(key / 10 * 10 + nid)) {
                        final int before = handled;
                        send(key, nid);
                        settle();
                        if (handled == before) {
                            wrong.add("node " + key + " does not reach node " + nid + " of its cluster");
                        }
                    }
                }
            }
            networks.audit();
        }

        private void settle() {
            for (int i = 0; i < 900; i++) {                     // longer than a session lives without a link
                networks.work();
                networks.nowNs += STEP_NS;
            }
        }

        private boolean isAtHome(int key) {
            return network(key).cluster().isSame(CLUSTERS.get(key / 10));
        }

        @Override
        public void close() {
            networks.close();
        }
    }

    @Test
    void nodesOfTwoClusters_exchangeNothing() throws IOException {
        int handled = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Starts.SEED.count();
            try (World world = new World(seed)) {
                for (int i = 0; i < STEPS; i++) {
                    world.step();
                }
                world.end();
                assertEquals(List.of(), world.wrong, "seed " + seed);
                handled += world.handled;
            }
        }
        assertTrue(handled > SEEDS * NIDS, () -> "messages are handled");
    }

    // ---- single steps ----

    private final List<ClusterId> told = new ArrayList<>();

    private static NetworkConfig.Builder known(StillNetworks networks, int nid) {
        return networks.config(nid).cluster(CLUSTERS.getFirst());
    }

    private static @Nullable String failure(StillNetworks networks, Network from, int nid) {
        final List<String> why = new ArrayList<>();
        final RequestType<Long, Long> ask = RequestType.of(3, Codecs.LONG, Codecs.LONG);
        var _ = from.request(nid, ask, 3L, 60_000_000_000L)
            .whenComplete((_, failure) -> why.add(failure == null ? "" : String.valueOf(failure.getMessage())));
        for (int i = 0; i < 400 && why.isEmpty(); i++) {
            networks.work();
            networks.nowNs += STEP_NS;
        }
        return why.isEmpty() ? null : why.getFirst();
    }

    @Test
    void aDialerWithoutACluster_takesTheListeners_andStays() throws IOException {
        try (StillNetworks networks = new StillNetworks(1_000_000_000)) {
            networks.open(known(networks, 1));
            networks.open(networks.config(2).cluster(CLUSTERS.getLast()));
            final Network client = networks.open(networks.config(3).adoptsCluster(true).listener(new NetworkListener() {
                @Override
                public void identified(ClusterId cluster) {
                    told.add(cluster);
                }
            }));
            assertFalse(client.cluster().isKnown());
            failure(networks, client, 1);
            assertEquals(CLUSTERS.getFirst(), client.cluster());
            final String why = failure(networks, client, 2);
            assertTrue(String.valueOf(why).contains("it is of " + CLUSTERS.getLast() + ", expected "
                + CLUSTERS.getFirst() + ": the cluster was founded anew"), why);
            assertEquals(List.of(CLUSTERS.getFirst()), told);
        }
    }

    @Test
    void aListenerWithoutACluster_isNotUsedBeforeItHasOne() throws IOException {
        try (StillNetworks networks = new StillNetworks(1_000_000_000)) {
            final Network dialer = networks.open(known(networks, 1).reachNs(1_000_000));
            final Network late = networks.open(networks.config(2));
            final String why = failure(networks, dialer, 2);
            assertTrue(String.valueOf(why).contains("does not know its cluster yet"), why);
            assertFalse(late.cluster().isKnown());
            late.identify(CLUSTERS.getFirst());
            assertTrue(String.valueOf(failure(networks, dialer, 2)).contains("no handler"), why);
        }
    }

    @Test
    void anExpectedName_mustBeThatOfTheCluster() throws IOException {
        try (StillNetworks networks = new StillNetworks(1_000_000_000)) {
            networks.open(known(networks, 1));
            networks.open(networks.config(2).cluster(CLUSTERS.getLast()));
            final Network client = networks.open(networks.config(3).adoptsCluster(true)
                .cluster(ClusterId.expected("b")));
            for (int nid = 1; nid <= 2; nid++) {
                final String why = failure(networks, client, nid);
                assertTrue(String.valueOf(why).contains("expected a cluster named b"), why);
            }
            assertFalse(client.cluster().isKnown());
        }
    }

    @Test
    void anIdentity_isSetOnce() throws IOException {
        try (StillNetworks networks = new StillNetworks(1_000_000_000)) {
            final Network node = networks.open(networks.config(1));
            assertThrows(IllegalArgumentException.class, () -> node.identify(ClusterId.NONE));
            node.identify(CLUSTERS.getFirst());
            node.identify(CLUSTERS.getFirst());
            final String why = assertThrows(IllegalArgumentException.class,
                () -> node.identify(CLUSTERS.getLast())).getMessage();
            assertEquals("the network is of " + CLUSTERS.getFirst() + ", not of " + CLUSTERS.getLast(), why);
        }
    }
}
