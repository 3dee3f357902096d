package io.teff.nio;

import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;

/** The contract of networks with several agents each, over real sockets of this machine. */
final class AgentsTcpNetworkTest implements EachTransport {
    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at("tcp:127.0.0.1:0", "tcp:127.0.0.1:1").with(it -> it.agents(3));
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
