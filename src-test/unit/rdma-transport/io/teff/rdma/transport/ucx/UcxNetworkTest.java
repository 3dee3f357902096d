package io.teff.rdma.transport.ucx;

import io.teff.test.net.NetworkContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The contract of networks, over what UCX chooses. */
final class UcxNetworkTest extends NetworkContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    protected String listenAt(int nid) {
        return Ucx.ANY;
    }

    @Override
    protected String nobody() {
        return "ucx:127.0.0.1:1";
    }
}
