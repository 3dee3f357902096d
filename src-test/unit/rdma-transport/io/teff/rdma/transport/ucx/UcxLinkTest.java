package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Transport;
import io.teff.engine.os.Platform;
import io.teff.test.net.LinkContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;

/** The contract of links, over shared memory. */
class UcxLinkTest extends LinkContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    protected Transport open() {
        return new UcxTransport(Platform.SYSTEM);
    }

    @Override
    protected String listenAt() {
        return Ucx.SHARED;
    }

    @Override
    protected String nobody() {
        return "ucx:127.0.0.1:1";
    }

    @Override
    protected int links() {
        return 100;
    }

    @Override
    protected long held() {
        return transports.stream().map(UcxTransport.class::cast).mapToLong(it -> it.linkCount() + it.buffersInUse())
            .sum();
    }
}
