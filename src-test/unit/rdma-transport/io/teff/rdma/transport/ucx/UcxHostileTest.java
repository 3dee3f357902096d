package io.teff.rdma.transport.ucx;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.HostileContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hostile peers over UCX. */
@FullTier("HostileTest has the same attacks over TCP in the gate, UcxFuzzTest hostile peers of UCX")
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
