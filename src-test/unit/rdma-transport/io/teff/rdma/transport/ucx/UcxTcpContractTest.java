package io.teff.rdma.transport.ucx;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.NetworkContract;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The rest of the contract of networks for the nodes of {@link UcxTcpNetworkTest}. */
@FullTier("seconds; NetworkTest and TcpNetworkTest have it in the gate, UcxTcpNetworkTest what differs")
final class UcxTcpContractTest implements NetworkContract {
    private final TestNodes nodes = UcxTcpNetworkTest.newNodes();

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }
}
