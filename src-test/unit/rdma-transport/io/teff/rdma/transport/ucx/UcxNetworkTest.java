package io.teff.rdma.transport.ucx;

import io.teff.test.net.EachTransport;
import io.teff.test.net.TestNodes;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** What differs between transports, over what UCX chooses. */
final class UcxNetworkTest implements EachTransport {
    private final TestNodes nodes = newNodes();

    static TestNodes newNodes() {
        return TestNodes.at(Ucx.ANY, "ucx:127.0.0.1:1");
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
