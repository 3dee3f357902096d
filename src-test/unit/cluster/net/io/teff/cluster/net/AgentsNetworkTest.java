package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.test.net.NetworkContract;
import java.util.concurrent.atomic.AtomicInteger;

/** The contract of networks, within a process, with several agents each. */
final class AgentsNetworkTest extends NetworkContract {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final String name = "loop:agents-network-test-" + NAMES.incrementAndGet() + "-";

    @Override
    protected NetworkConfig.Builder config(int nid) {
        return super.config(nid).agents(3);
    }

    @Override
    protected String listenAt(int nid) {
        return name + nid;
    }

    @Override
    protected String nobody() {
        return name + "nobody";
    }
}
