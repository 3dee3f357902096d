package io.teff.nio;

import io.teff.test.net.NetworkAllocationContract;

/** Messages over real sockets of this machine allocate nothing. */
final class TcpAllocationTest extends NetworkAllocationContract {
    @Override
    protected String listenAt(int nid) {
        return "tcp:127.0.0.1:0";
    }
}
