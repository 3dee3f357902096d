package io.teff.rdma.transport.ucx;

import io.teff.test.net.NetworkAllocationContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** Messages over UCX allocate nothing. */
final class UcxAllocationTest extends NetworkAllocationContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    protected String listenAt(int nid) {
        return Ucx.ANY;
    }
}
