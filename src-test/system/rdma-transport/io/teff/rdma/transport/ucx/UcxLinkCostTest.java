package io.teff.rdma.transport.ucx;

import io.teff.test.kit.tier.FullTier;
import io.teff.test.net.LinkCostContract;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The cost of links over UCX. */
@FullTier("hundreds of links over UCX, and what a process keeps of them; UcxLinkTest makes and ends links")
@Tag("system")
final class UcxLinkCostTest extends LinkCostContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
    }

    @Override
    protected String listenAt() {
        return Ucx.ANY;
    }

    @Override
    protected int closedLinks() {
        return 300;
    }

    @Override
    protected int idleLinks() {
        return 200;
    }
}
