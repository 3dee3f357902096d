package io.teff.cluster.net.aeron;

import io.teff.test.net.NetworkContract;

/** The contract of networks, over memory that processes share. */
final class AeronIpcNetworkTest extends NetworkContract {
    @Override
    protected String listenAt(int nid) {
        return "aeron:ipc";
    }

    @Override
    protected String nobody() {
        return "aeron:ipc?stream=7";
    }
}
