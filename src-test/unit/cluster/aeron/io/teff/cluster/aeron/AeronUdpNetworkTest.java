package io.teff.cluster.aeron;

import io.teff.test.net.NetworkContract;

/** The contract of networks, over datagrams. */
final class AeronUdpNetworkTest extends NetworkContract {
    @Override
    protected String listenAt(int nid) {
        return "aeron:udp?endpoint=127.0.0.1:0";
    }

    @Override
    protected String nobody() {
        return "aeron:udp?endpoint=127.0.0.1:9";
    }
}
