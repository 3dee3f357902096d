package io.teff.cluster.net;

import com.sun.management.ThreadMXBean;
import io.teff.cluster.net.agent.StillNetworks;
import io.teff.cluster.net.message.MessageType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.net.NetworkAllocationContract;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Neither a message nor an idle network allocates; within the process. */
final class NetworkAllocationTest extends NetworkAllocationContract {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final MessageType<Long> NUMBERS = MessageType.of(1, Codecs.LONG);
    private static final int WARM_UP = 1000;
    private static final int MEASURED = 600;
    private static final long TICK_NS = 50_000_000;

    @Override
    protected String listenAt(int nid) {
        return "loop:allocation-" + nid;
    }

    /**
     * Otherwise thousands of idle agents would keep the garbage collector busy. Without a link, and with a link that
     * sends keep-alives.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void idleAgents_allocateNothing(boolean isConnected) throws IOException {
        try (StillNetworks still = new StillNetworks(1)) {
            final Network one = still.open(still.config(1));
            still.open(still.config(2)).handle(NUMBERS, (from, message) -> { });
            if (isConnected) {
                one.send(2, 1, NUMBERS, 1L);
            }
            cycles(still, WARM_UP);
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            cycles(still, MEASURED);
            final long all = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertTrue(all < 4 * MEASURED, () -> all + " bytes in " + MEASURED + " cycles");
        }
    }

    private static void cycles(StillNetworks still, int count) {
        for (int i = 0; i < count; i++) {
            still.nowNs += TICK_NS;
            still.work();
        }
    }
}
