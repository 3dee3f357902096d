package io.teff.cluster.net;

import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import java.util.concurrent.atomic.AtomicInteger;

/** The contract of networks, within a process, with several agents each. */
final class AgentsNetworkTest implements EachTransport {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        String name = "loop:agents-network-test-" + NAMES.incrementAndGet() + "-";
        return TestNodes.of(nid -> name + nid, name + "nobody").with(it -> it.agents(3));
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
