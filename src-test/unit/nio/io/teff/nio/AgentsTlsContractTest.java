package io.teff.nio;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;

/** The rest of the contract of networks for the nodes of {@link AgentsTlsNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, AgentsTlsNetworkTest what differs")
final class AgentsTlsContractTest implements NetworkContract {
    private final TestNodes nodes = AgentsTlsNetworkTest.newNodes();

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
