package io.teff.rdma.transport.ucx;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The rest of the contract of networks for the nodes of {@link UcxNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, UcxNetworkTest what differs")
final class UcxContractTest implements NetworkContract {
    private final TestNodes nodes = UcxNetworkTest.newNodes();

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
