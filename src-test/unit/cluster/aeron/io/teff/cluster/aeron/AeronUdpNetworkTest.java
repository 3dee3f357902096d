package io.teff.cluster.aeron;

import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;

/** What differs between transports, over datagrams. */
final class AeronUdpNetworkTest implements EachTransport {
    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at("aeron:udp?endpoint=127.0.0.1:0", "aeron:udp?endpoint=127.0.0.1:9");
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
