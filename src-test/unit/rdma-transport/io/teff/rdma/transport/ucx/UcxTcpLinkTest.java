package io.teff.rdma.transport.ucx;

/** The contract of links, over UCX's TCP. */
final class UcxTcpLinkTest extends UcxLinkTest {
    @Override
    protected String listenAt() {
        return Ucx.TCP;
    }
}
