package io.teff.rdma.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract of networks with three agents each, over UCX: each agent listens at a port of its own. */
final class UcxAgentsNetworkTest implements EachTransport {
    private static final RequestType<Long, Long> ECHO = RequestType.of(9, Codecs.LONG, Codecs.LONG);
    private static final int NODES = 12;

    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at(Ucx.ANY, "ucx:127.0.0.1:1").with(it -> it.agents(3));
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    /** Most nodes reach another agent than theirs at first; each has one link, to its own. */
    @Test
    void nodesOfAllAgents_areSentToTheirAgent() throws IOException, InterruptedException {
        final List<Network> others = new ArrayList<>();
        try (Network hub = nodes.open(nodes.config(1))) {
            hub.answer(ECHO, (from, number) -> number);
            for (int nid = 2; nid < 2 + NODES; nid++) {
                final Network other = nodes.open(nodes.config(nid).agents(1));
                others.add(other);
                assertEquals(nid, other.call(1, ECHO, (long) nid));
            }
            assertEquals(NODES, hub.stats().linksOpen());
            assertEquals(0, hub.stats().linksFailed());
        } finally {
            others.forEach(Network::close);
        }
    }
}
