package io.teff.cluster.aeron;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;

/** The rest of the contract of networks for the nodes of {@link AeronUdpNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, AeronUdpNetworkTest what differs")
final class AeronUdpContractTest implements NetworkContract {
    private final TestNodes nodes = AeronUdpNetworkTest.newNodes();

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
