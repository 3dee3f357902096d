package io.teff.rdma.transport.ucx;

import io.teff.test.net.NetworkContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The contract of networks, over UCX's TCP. */
final class UcxTcpNetworkTest extends NetworkContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    protected String listenAt(int nid) {
        return Ucx.TCP;
    }

    @Override
    protected String nobody() {
        return "ucx:127.0.0.1:1|transports=tcp";
    }
}
