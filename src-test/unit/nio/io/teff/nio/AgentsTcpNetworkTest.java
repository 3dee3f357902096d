package io.teff.nio;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.test.net.NetworkContract;

/** The contract of networks with several agents each, over real sockets of this machine. */
final class AgentsTcpNetworkTest extends NetworkContract {
    @Override
    protected NetworkConfig.Builder config(int nid) {
        return super.config(nid).agents(3);
    }

    @Override
    protected String listenAt(int nid) {
        return "tcp:127.0.0.1:0";
    }

    @Override
    protected String nobody() {
        return "tcp:127.0.0.1:1";
    }
}
