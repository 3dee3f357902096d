package io.teff.rdma.transport.ucx;

import io.teff.test.net.HostileContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hostile peers over UCX. */
final class UcxHostileTest extends HostileContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    protected String listenAt() {
        return Ucx.ANY;
    }

    @Test
    void messageThatNeverEnds_isCutOff() throws IOException {
        sendAMessageThatNeverEnds();
    }
}
