package io.teff.rdma.transport.ucx;

import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** What differs between transports, over UCX's TCP. */
final class UcxTcpNetworkTest implements EachTransport {
    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at(Ucx.TCP, "ucx:127.0.0.1:1|transports=tcp");
    }

    @Override
    public TestNodes nodes() {
        return nodes;
    }

    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }
}
