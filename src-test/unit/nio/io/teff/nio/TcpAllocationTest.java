package io.teff.nio;

import io.teff.test.net.NetworkAllocationContract;

/** No allocation for a message, over real sockets of this machine. */
final class TcpAllocationTest extends NetworkAllocationContract {
    @Override
    protected String listenAt(int nid) {
        return "tcp:127.0.0.1:0";
    }
}
