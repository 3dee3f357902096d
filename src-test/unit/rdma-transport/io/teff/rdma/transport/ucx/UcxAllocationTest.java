package io.teff.rdma.transport.ucx;

import io.teff.test.net.NetworkAllocationContract;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/**
 * Messages over UCX allocate nothing. In a JVM without the optimizing compiler, as that of short forms, native calls
 * allocate, and so does each sleep of an agent; there the test is left out.
 */
final class UcxAllocationTest extends NetworkAllocationContract {
    @BeforeAll
    static void assume() throws IOException {
        Ucx.assume();
        Assumptions.assumeFalse(ManagementFactory.getRuntimeMXBean().getInputArguments()
            .contains("-XX:TieredStopAtLevel=1"), "without the optimizing compiler native calls allocate");
    }

    @Override
    protected String listenAt(int nid) {
        return Ucx.ANY;
    }
}
