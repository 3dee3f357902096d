package io.teff.nio;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;

/** The rest of the contract of networks for the nodes of {@link TlsNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, TlsNetworkTest what differs")
final class TlsContractTest implements NetworkContract {
    private final TestNodes nodes = TlsNetworkTest.newNodes();

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
