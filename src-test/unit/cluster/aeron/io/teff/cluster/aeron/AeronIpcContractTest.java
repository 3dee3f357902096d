package io.teff.cluster.aeron;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;

/** The rest of the contract of networks for the nodes of {@link AeronIpcNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, AeronIpcNetworkTest what differs")
final class AeronIpcContractTest implements NetworkContract {
    private final TestNodes nodes = AeronIpcNetworkTest.newNodes();

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
