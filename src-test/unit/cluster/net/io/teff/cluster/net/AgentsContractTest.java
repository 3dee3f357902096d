package io.teff.cluster.net;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;

/** The rest of the contract of networks for the nodes of {@link AgentsNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, AgentsNetworkTest what differs")
final class AgentsContractTest implements NetworkContract {
    private final TestNodes nodes = AgentsNetworkTest.newNodes();

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
